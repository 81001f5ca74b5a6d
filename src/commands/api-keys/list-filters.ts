import { shorten } from '../../client/exchange/exchange.js';
import { readMoment } from '../../client/reading/read-single.js';
import { UsageError } from '../../errors/errors.js';
import { parseAge } from '../../text/duration.js';
import { printJson } from '../../text/exact-json.js';
import type { Keep, ListFilter } from '../resource/list.js';

export const keyFilters: readonly ListFilter[] = [
  {
    option: ['--disabled', 'only disabled keys, among the keys read'],
    keep: ({ disabled }) => (disabled === true ? isDisabled : undefined),
  },
  {
    option: ['--unused-for <duration>', 'only keys unused for this long, such as 90d, among the keys read'],
    keep: ({ unusedFor }, now) => (typeof unusedFor === 'string' ? unusedSince(unusedFor, now) : undefined),
  },
];

const isDisabled: Keep = ({ enabled }) => (typeof enabled === 'boolean' ? !enabled : { unread: 'enabled' });

/** Matches keys last used (if never used: created) at least this long ago. @throws UsageError for an invalid duration */
function unusedSince(duration: string, now: number): Keep {
  const age = parseAge(duration);
  if (age === undefined) {
    throw new UsageError(`--unused-for ${duration}: not a duration`, { hint: 'for example 90d, 12h or 30m' });
  }
  return (key) => {
    // A missing `last_used_at` decides nothing. Some services write "never" as null or as a zero time.
    const field = isNever(key['last_used_at']) ? 'created_at' : 'last_used_at';
    const time = key[field];
    const moment = time === undefined || isNever(time) ? undefined : readMoment(time);
    if (moment !== undefined) return moment <= now - age;
    return { unread: `${field} ${time === undefined ? '' : shorten(printJson(time), 60)}`.trim() };
  };
}

/** Whether a time is null or zero, such as Go's year 1 or the Unix epoch. */
function isNever(time: unknown): boolean {
  return [null, 0, '0'].some((never) => time === never) || (readMoment(time) ?? 1) <= 0;
}
