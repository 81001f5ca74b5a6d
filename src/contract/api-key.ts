import { z } from './schema.js';

/** How every key ID begins (reference, section 2). */
export const keyIdPrefix = 'key_';

/** Characters of a secret (reference, section 2). */
export const secretLength = 64;

/** The body of `POST /api-keys`: its fields are not shown; `name` is ours. */
export const apiKeyInputSchema = z.object({ name: z.string().check(z.minLength(1), z.maxLength(255)) });

/** The body of `PATCH /api-keys/{id}` [ours]. Re-enabling is done in the console alone (reference, section 3). */
export const apiKeyPatchSchema = z.partial(
  z.object({
    name: z.string().check(z.minLength(1), z.maxLength(255)),
    enabled: z.literal(false, 'can only be false: a key is enabled again in the management console'),
  }),
);

/** The answer to `POST /api-keys` carries an `id`; `secret` is ours, the reference shows no other field. */
export const createdApiKeySchema = z.looseObject({ id: z.string(), secret: z.optional(z.string()) });
