import { z } from '../../api/schema/schema.js';
import { markerKey, markerSchema } from '../../input/forms/secret-reference.js';
import { settingSchema, wholeFileSchema } from './organization-file.js';

/**
 * The JSON schema (draft 2020-12) for editors. The build replaces this function with its result,
 * because the function loads all of zod.
 */
export function organizationJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(wholeFileSchema(), {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === settingSchema) jsonSchema.$ref = setting;
      if (zodSchema !== markerSchema) return;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, schemaMarker);
    },
  });
  const { $schema: _, ...definition } = z.toJSONSchema(markerSchema, { io: 'input' });
  return {
    $schema,
    title: 'An organization, as orgctl export, diff and apply use it',
    description:
      'Only what is in the file is compared. An entry stands for the resource with its id; without an id, for the resource with its name, or else with the name in renamed_from. Secrets are references.',
    ...schema,
    $defs: { setting: settingDefinition, marker: definition },
  };
}

const setting = '#/$defs/setting';
const schemaMarker = { $ref: '#/$defs/marker' };

/** As in `checkFile`, an object with the marker is a secret reference, and a `password` at any depth must be one. */
const settingDefinition = {
  if: { type: 'object', required: [markerKey] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: schemaMarker,
  else: {
    items: { $ref: setting },
    properties: { password: schemaMarker },
    additionalProperties: { $ref: setting },
  },
};
