import { envelopeSchema } from './envelope.js';
import { z } from './schema.js';

/** One kind's quota (reference, section 2): `remaining` = `limit` - `used`. */
export const quotaSchema = z.looseObject({
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
});
export type Quota = z.infer<typeof quotaSchema>;

/** The quota record: one object keyed by resource kind. A kind that the service adds passes through. */
export const quotaRecordSchema = z.record(z.string(), quotaSchema);
export type QuotaRecord = z.infer<typeof quotaRecordSchema>;

/** The answer to `GET /quotas`: an envelope whose `data` holds one quota record (reference, section 4). */
export const quotaEnvelopeSchema = envelopeSchema(quotaRecordSchema);

/** Headers on every answer of an endpoint that has a quota (reference, section 4). */
export const quotaHeader = {
  limit: 'X-Quota-Limit',
  used: 'X-Quota-Used',
  remaining: 'X-Quota-Remaining',
} as const;
