import { once } from '../platform/once.js';
import type { Quota, QuotaRecord } from './resources/records.js';
import { z } from './schema/schema.js';

export type { Quota, QuotaRecord };

/** The largest value of a 32-bit integer column. */
export const largestLimit = 2_147_483_647;

/** Accepts kinds that orgctl does not know, too. */
export const quotaRecordSchema = once(
  () =>
    z.record(
      z.string(),
      z.looseObject({ limit: z.int(), used: z.int(), remaining: z.int() }),
    ) satisfies z.ZodMiniType<QuotaRecord>,
);

export const quotaHeader = {
  limit: 'X-Quota-Limit',
  used: 'X-Quota-Used',
  remaining: 'X-Quota-Remaining',
} as const;
