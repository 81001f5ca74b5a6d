import { z } from '../schema/schema.js';
import { dialectSchema } from './dialect.js';

export function dialectJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(dialectSchema, { io: 'input' });
  return {
    $schema,
    title: 'A dialect, as orgctl probe writes it and orgctl serve --dialect answers by it',
    description:
      'The choices of a service where the API reference shows nothing. Absent fields are as in the dialect named reference.',
    ...schema,
  };
}
