import type { Resource } from '../../api/resources/resource.js';
import { pickField } from './fields.js';
import { maxClockDifference, readTime } from './record-time.js';

/** Whether a record says that it is deleted; `undefined` if it says nothing. */
export function readDeletionMark(resource: Resource): boolean | undefined {
  const mark = pickField(resource, 'deleted');
  if (mark === true || mark === 1 || pickField(resource, 'status') === 'deleted') return true;
  if (['deleted_at', 'deletedAt'].some((name) => isPast(pickField(resource, name)))) return true;
  return mark === false || mark === 0 ? false : undefined;
}

/** Not a deletion planned for later, nor a zero time such as Go's year 1. */
function isPast(time: unknown): boolean {
  const at = readTime(time) ?? Number.NaN;
  return at > 0 && at <= Date.now() + maxClockDifference;
}
