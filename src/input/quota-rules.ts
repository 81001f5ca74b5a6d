import { largestLimit } from '../api/quota.js';
import { isQuotaKind, type QuotaKind, quotaKinds } from '../api/resources/index.js';
import { UsageError } from '../errors/errors.js';

/**
 * Limits by kind, from rules such as `connections=50`; of several rules for a kind, the last one counts.
 * @param asTyped formats a rule for messages
 * @throws UsageError for an invalid rule
 */
export function parseQuotaRules(
  rules: readonly string[],
  asTyped: (rule: string) => string,
): Partial<Record<QuotaKind, number>> {
  const quotas: Partial<Record<QuotaKind, number>> = {};
  for (const rule of rules) {
    const [, kind = '', limit = ''] = /^([^=]*)=(.+)$/.exec(rule) ?? [];
    if (!isQuotaKind(kind)) {
      const reason = kind === '' ? 'not of the form kind=number' : `unknown kind ${JSON.stringify(kind)}`;
      throw new UsageError(`${asTyped(rule)}: ${reason}`, {
        hint: `the kinds are ${quotaKinds.join(', ')}; for example ${asTyped('connections=50')}`,
      });
    }
    if (!/^\d+$/.test(limit)) {
      throw new UsageError(`${asTyped(rule)}: the limit must be a whole number, 0 or more`);
    }
    if (Number(limit) > largestLimit) {
      throw new UsageError(`${asTyped(rule)}: the largest limit is ${largestLimit}`);
    }
    quotas[kind] = Number(limit);
  }
  return quotas;
}
