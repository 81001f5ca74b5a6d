import { maxClockDifference, readTime } from './record-time.js';

/** Simplified. */
export const stateFields: ReadonlySet<string> = new Set(['status', 'state', 'lifecyclestate']);

/** A field's name without case, `_` and `-`. */
export function simplifyName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** A boolean, also as 1 or 0. */
export function readFlag(value: unknown): boolean | undefined {
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : undefined;
}

/** Not a time planned for later, nor a zero time such as Go's year 1. */
export function isPast(time: unknown): boolean {
  const at = readTime(time) ?? Number.NaN;
  return at > 0 && at <= Date.now() + maxClockDifference;
}
