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
  const pairs = rules.map((rule) => {
    const [, kind = '', limit = ''] = /^([^=]*)=(.+)$/.exec(rule) ?? [];
    const refuse = (what: string) =>
      new UsageError(`${asTyped(rule)}: ${what}`, {
        hint: `the kinds are ${quotaKinds.join(', ')}; for example ${asTyped('connections=50')}`,
      });
    if (kind === '') throw refuse('not of the form kind=number');
    if (!isQuotaKind(kind)) throw refuse(`unknown kind ${JSON.stringify(kind)}`);
    if (!/^\d+$/.test(limit)) throw refuse('the limit must be a whole number, 0 or more');
    if (Number(limit) > largestLimit) throw refuse(`the largest limit is ${largestLimit}`);
    return [kind, Number(limit)] as const;
  });
  return Object.fromEntries(pairs);
}
