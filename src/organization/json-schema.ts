import { z } from '../api/schema/schema.js';
import { markerKey, markerSchema } from '../input/forms/secret-reference.js';
import { settingSchema, wholeFileSchema } from './file.js';

/** For editors; draft 2020-12. */
export function organizationJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(wholeFileSchema(), {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === settingSchema) jsonSchema.$ref = setting;
      if (zodSchema !== markerSchema) return;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, marker);
    },
  });
  const { $schema: _, ...markerDefinition } = z.toJSONSchema(markerSchema, { io: 'input' });
  return {
    $schema,
    title: 'An organization, as orgctl export, diff and apply use it',
    description:
      'Only what is in the file is compared. An entry stands for the resource with its id; without an id, for the resource with its name, or else with the name in renamed_from. Secrets are references.',
    ...schema,
    $defs: { setting: { anyOf: [marker, unmarked] }, marker: markerDefinition },
  };
}

const setting = '#/$defs/setting';
const marker = { $ref: '#/$defs/marker' };

const unmarked = {
  not: { type: 'object', required: [markerKey] },
  items: { $ref: setting },
  properties: { password: marker },
  additionalProperties: { $ref: setting },
};
