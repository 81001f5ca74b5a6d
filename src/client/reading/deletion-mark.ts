import type { Resource } from '../../api/resources/resource.js';
import { pickField } from './fields.js';

/** Whether a record says of itself that it is deleted; `undefined` if it says nothing. */
export function readDeletionMark(resource: Resource): boolean | undefined {
  const mark = pickField(resource, 'deleted');
  if (mark === true || mark === 1 || pickField(resource, 'status') === 'deleted') return true;
  const times = ['deleted_at', 'deletedAt'].map((name) => pickField(resource, name));
  if (times.some((time) => Boolean(time))) return true;
  return mark === false || mark === 0 ? false : undefined;
}
