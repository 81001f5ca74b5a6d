import type { Quota, QuotaRecord } from './resources/records.js';
import { envelopeSchema } from './schema/envelope.js';
import { z } from './schema/schema.js';

export type { Quota, QuotaRecord };

/** The largest limit that a server takes [ours]: what the integer column of a database holds. */
export const largestLimit = 2_147_483_647;

/** One kind's quota. */
export const quotaSchema = z.looseObject({
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
}) satisfies z.ZodMiniType<Quota>;

/** The quota record. A kind that the service adds passes through. */
export const quotaRecordSchema = z.record(z.string(), quotaSchema) satisfies z.ZodMiniType<QuotaRecord>;

/** The answer to `GET /quotas`: an envelope whose `data` holds one quota record (reference, section 4). */
export const quotaEnvelopeSchema = envelopeSchema(quotaRecordSchema);

/** Headers on every answer of an endpoint that has a quota (reference, section 4). */
export const quotaHeader = {
  limit: 'X-Quota-Limit',
  used: 'X-Quota-Used',
  remaining: 'X-Quota-Remaining',
} as const;
