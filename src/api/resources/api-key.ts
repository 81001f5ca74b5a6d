import { z } from '../schema/schema.js';
import { nameSchema, type Resource, type ResourceDeclaration, readId, timestampSchema } from './resource.js';

/** How every key ID begins (reference, section 2). */
export const keyIdPrefix = 'key_';

/** Characters of a secret (reference, section 2). */
export const secretLength = 64;

/**
 * What a client relies on in the answer to `POST /api-keys`: its `id`, and its `secret` [ours], which the reference does not
 * show there. Any other answer is kept whole: it may have the secret elsewhere.
 */
export const createdApiKeySchema = z.looseObject({
  id: z.string().check(z.minLength(1)),
  secret: z.string().check(z.minLength(1)),
});

/**
 * The ID by which a key signs. Where paths know it by another one, such as a number, the client puts the one that signs
 * into `key_id`.
 */
export function readSigningId(key: Resource): string | undefined {
  const { id, key_id: signing } = key;
  const isOwn = typeof id === 'string' && id.startsWith(keyIdPrefix);
  return isOwn || typeof signing !== 'string' ? readId(key) : signing;
}

/** An API key as it is answered; beside `id`, `last_used_at` and the status all fields are ours. */
const keyAnswer = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    last_used_at: z.nullable(timestampSchema()),
    created_at: timestampSchema(),
  });

/** `/api-keys`: creation is the reference's (section 4), the rest is ours. Only creation's answer has the secret. */
export const apiKeys = {
  kind: 'api-keys',
  property: 'apiKeys',
  singular: 'API key',
  plural: 'API keys',
  idPrefix: 'key',
  table: 'api_keys',
  hasOwnCode: true,
  quota: 20,
  calls: { list: 'ours', create: 'ref', get: 'ours', update: 'ours', delete: 'ours' },
  // The fields are not shown: all are ours. A key that is created disabled is enabled in the console alone.
  input: z.object({ name: nameSchema, enabled: z.optional(z.boolean()) }),
  inputSource: 'ours',
  // Re-enabling is done in the console alone (reference, section 3).
  patch: z.partial(
    z.object({
      name: nameSchema,
      enabled: z.literal(false, 'can only be false: a key is enabled again in the management console'),
    }),
  ),
  answer: keyAnswer,
  created: () => z.extend(keyAnswer(), { secret: z.string().check(z.length(secretLength)) }),
} as const satisfies ResourceDeclaration;
