import { UsageError } from '../../errors/errors.js';
import { parseAge } from '../../text/duration.js';
import { apiKey } from '../../verbs/api-keys/api-key.js';
import { listVerb } from '../../verbs/resource/list.js';
import type { Keep } from '../../verbs/resource/list-filter.js';

export const list = listVerb(apiKey, [
  {
    option: ['--disabled', 'only disabled keys, among the keys read'],
    keep: ({ disabled }) => (disabled === true ? isDisabled : undefined),
  },
  {
    option: ['--unused-for <duration>', 'only keys unused for this long, such as 90d, among the keys read'],
    keep: ({ unusedFor }, now) => (typeof unusedFor === 'string' ? unusedSince(unusedFor, now) : undefined),
  },
]);

const isDisabled: Keep = ({ enabled }) => (typeof enabled === 'boolean' ? !enabled : undefined);

/** Matches keys last used, or else created, at least this long ago. @throws UsageError for an invalid duration */
function unusedSince(duration: string, now: number): Keep {
  const age = parseAge(duration);
  if (age === undefined) {
    throw new UsageError(`--unused-for ${duration}: not a duration`, { hint: 'for example 90d, 12h or 30m' });
  }
  return ({ last_used_at: used, created_at: created }) => {
    // Without `last_used_at`, the key may have been used at any time; some services write "never" as a zero time.
    const time = used === null || isZero(used) ? created : used;
    const since = typeof time === 'string' && !isZero(time) ? Date.parse(time) : Number.NaN;
    return Number.isNaN(since) ? undefined : since <= now - age;
  };
}

/** Such as Go's year 1, or the beginning of Unix time. */
function isZero(time: unknown): boolean {
  return typeof time === 'string' && Date.parse(time) <= 0;
}
