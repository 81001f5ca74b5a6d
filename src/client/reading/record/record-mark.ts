import { maxClockDifference } from '../../../signing/hmac/timestamp.js';
import { readTime } from '../../../text/duration.js';

/** Names of fields that hold a state, simplified by `simplifyName`. */
export const stateFields: ReadonlySet<string> = new Set(['status', 'state', 'lifecyclestate']);

/** A field's name in lower case, without `_` and `-`. */
export function simplifyName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** A boolean, also as 1 or 0; `undefined` for anything else. */
export function readFlag(value: unknown): boolean | undefined {
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : undefined;
}

/** Whether a time has passed, allowing for clock skew; false for a zero time, such as Go's year 1. */
export function isPast(time: unknown): boolean {
  const at = readTime(time) ?? Number.NaN;
  return at > 0 && at <= Date.now() + maxClockDifference;
}
