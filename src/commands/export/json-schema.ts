import { wholeFileSchema } from '../../contract/organization-file.js';
import { z } from '../../contract/schema.js';

/**
 * The JSON schema (draft 2020-12) of an organization's file, for editors. Builds contain the result: making it takes
 * all of zod.
 */
export function organizationJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(wholeFileSchema(), { io: 'input' });
  return {
    $schema,
    title: 'An organization, as orgctl export, diff and apply use it',
    description:
      'Only the kinds and fields that are named are compared. The name of an entry is its identity; id pins it, renamed_from renames.',
    ...schema,
  };
}
