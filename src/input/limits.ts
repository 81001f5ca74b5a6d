import { maxRateRequests } from '../api/control/calls.js';
import { largestLimit } from '../api/quota.js';
import { isQuotaKind, type QuotaKind, quotaKinds } from '../api/resources/index.js';
import { UsageError } from '../errors/errors.js';
import { parseDuration } from '../text/duration.js';

/** Rules such as `connections=50`; the last one for a kind counts. @throws UsageError */
export function parseQuotaRules(rules: readonly string[], option = ''): Partial<Record<QuotaKind, number>> {
  const pairs = rules.map((rule) => {
    const [, kind = '', limit = ''] = /^([^=]*)=(\d+)$/.exec(rule) ?? [];
    if (isQuotaKind(kind) && Number(limit) <= largestLimit) return [kind, Number(limit)] as const;
    throw new UsageError(`${option}${rule}: not of the form kind=number`, {
      hint: `the kinds are ${quotaKinds.join(', ')}; the largest limit is ${largestLimit}`,
    });
  });
  return Object.fromEntries(pairs);
}

/** Parses text such as `100/1m`; `window` is in milliseconds. @throws UsageError */
export function parseRateLimit(text: string, named: string) {
  const [, digits, duration = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  const requests = Number(digits ?? 0);
  const window = parseDuration(duration);
  if (requests > 0 && requests <= maxRateRequests && window) return { requests, window };
  const what = `must be requests/duration: 1 to ${maxRateRequests} requests in at most 24 days`;
  throw new UsageError(`${named}: ${what}`, {
    hint: 'for example 100/1m: 100 requests per minute for each API key',
  });
}
