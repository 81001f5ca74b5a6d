import { z } from '../schema/schema.js';
import { dialectSchema } from './dialect.js';

export function dialectJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(dialectSchema, { io: 'input' });
  return {
    $schema,
    title: 'A dialect, which orgctl probe writes and orgctl serve --dialect serves',
    description:
      'Describes the choices of a service where the API reference is silent. Omitted fields have the values of the preset "reference".',
    ...schema,
  };
}
