import { once } from '../../platform/once.js';
import { keyIdPrefix, secretLength } from '../../redaction/harmless.js';
import { z } from '../schema/schema.js';
import { nameSchema, type Resource, type ResourceDeclaration, readId, timestampSchema } from './resource.js';

/** A key's signing ID. If the service's paths use another ID, the client puts the signing ID into `key_id`. */
export function readSigningId(key: Resource): string | undefined {
  const { id, key_id: signing } = key;
  const isOwn = typeof id === 'string' && id.startsWith(keyIdPrefix);
  return isOwn || typeof signing !== 'string' ? readId(key) : signing;
}

/** The API reference has neither `name` nor `created_at`. */
const keyAnswer = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    last_used_at: z.nullable(timestampSchema()),
    created_at: timestampSchema(),
  });

// These fields are not in the API reference. The API cannot enable a key that was created disabled.
const keyInput = once(() => z.object({ name: nameSchema(), enabled: z.optional(z.boolean()) }));
const stayDisabled = 'can only be false: enable a key in the management console';
const keyPatch = once(() =>
  z.partial(z.object({ name: nameSchema(), enabled: z.literal(false, stayDisabled) })),
);

/** Only creation is in the API reference; only its response has the secret. */
export const apiKeys = {
  kind: 'api-keys',
  property: 'apiKeys',
  singular: 'API key',
  plural: 'API keys',
  idPrefix: 'key',
  table: 'api_keys',
  hasOwnCode: true,
  quota: 20,
  get input() {
    return keyInput();
  },
  get patch() {
    return keyPatch();
  },
  answer: keyAnswer,
  created: () => z.extend(keyAnswer(), { secret: z.string().check(z.length(secretLength)) }),
} as const satisfies ResourceDeclaration;
