import { z } from '../../api/schema/schema.js';

export type KeyringCall = { readonly service: string; readonly account: string } & (
  | { readonly call: 'read' | 'remove' }
  | { readonly call: 'write'; readonly secret: string }
);

export const keyringAnswerSchema = z.union([
  z.object({ value: z.nullable(z.string()) }),
  z.object({ error: z.string(), isMissing: z.boolean() }),
]);
