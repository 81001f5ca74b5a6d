import { z } from '../schema/schema.js';
import { dialectSchema } from './dialect.js';

export function dialectJsonSchema(): unknown {
  const { $schema, ...schema } = z.toJSONSchema(dialectSchema, { io: 'input' });
  return {
    $schema,
    title: 'A dialect, as orgctl probe writes it and orgctl serve --dialect answers by it',
    description:
      'What a service chose where the API reference shows nothing. What is left out is as in the dialect named reference.',
    ...schema,
  };
}
