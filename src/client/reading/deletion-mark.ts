import type { Resource } from '../../api/resources/resource.js';
import { maxClockDifference, readTime } from './record-time.js';

/** Without case, `_` and `-`. */
const flags: ReadonlySet<string> = new Set(['deleted', 'isdeleted', 'removed', 'isremoved']);
const states: ReadonlySet<string> = new Set(['status', 'state', 'lifecyclestate']);
const times: ReadonlySet<string> = new Set(['deletedat', 'removedat', 'deletedon', 'deletiontime']);

/**
 * Whether a record says that it is deleted; `undefined` if it says nothing. Not by words that may also mean something
 * reversible or unfinished, such as `archived`, `inactive` and `deleting`.
 */
export function readDeletionMark(resource: Resource): boolean | undefined {
  const marks = Object.entries(resource).map(([name, value]) => readMark(simplify(name), value));
  if (marks.includes(true)) return true;
  return marks.includes(false) ? false : undefined;
}

function readMark(name: string, value: unknown): boolean | undefined {
  if (flags.has(name)) return readFlag(value);
  const isState = states.has(name) && typeof value === 'string';
  const isDeleted = isState ? /^(?:deleted|removed)$/i.test(value) : times.has(name) && isPast(value);
  return isDeleted || undefined;
}

function readFlag(value: unknown): boolean | undefined {
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : undefined;
}

function simplify(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** Not a deletion planned for later, nor a zero time such as Go's year 1. */
function isPast(time: unknown): boolean {
  const at = readTime(time) ?? Number.NaN;
  return at > 0 && at <= Date.now() + maxClockDifference;
}
