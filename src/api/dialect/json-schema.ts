import { z } from '../schema/schema.js';
import { dialectSchema } from './dialect.js';

export function dialectJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(dialectSchema, { io: 'input' });
  return {
    $schema,
    title: 'A dialect, as written by orgctl probe and used by orgctl serve --dialect',
    description:
      'Describes what a service chose where the API reference is silent. Omitted fields have the values of the preset "reference".',
    ...schema,
  };
}
