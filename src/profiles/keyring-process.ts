import { z } from '../contract/schema.js';

/** What the process is asked, once. */
export type KeyringCall = { readonly service: string; readonly account: string } & (
  | { readonly call: 'read' | 'remove' }
  | { readonly call: 'write'; readonly secret: string }
);

/** What it answers: the secret that is in the keyring then, or what went wrong. */
export const keyringAnswerSchema = z.union([
  z.object({ value: z.nullable(z.string()) }),
  z.object({ error: z.string(), isMissing: z.boolean() }),
]);
