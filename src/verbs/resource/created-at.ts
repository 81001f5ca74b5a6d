import { isResource, type Resource } from '../../api/resources/resource.js';

/** Milliseconds by which the clocks of a service and ours may differ: what it tolerates of a timestamp (reference, section 5). */
export const mostSkew = 5 * 60 * 1000;

/** From when to when something was attempted, by the service's clock, in milliseconds since the epoch. */
export interface Attempt {
  readonly since: number;
  readonly until: number;
}

/** Whether a resource can come from an attempt, by the time of its creation where it has one that is understood. */
export function canComeFrom(resource: Resource, { since, until }: Attempt): boolean {
  const created = createdAt(resource);
  return created === undefined || (created >= since - mostSkew && created <= until + mostSkew);
}

/** Milliseconds since the epoch; the reference names no such field, so any usual spelling is one [ours]. */
function createdAt(resource: Resource): number | undefined {
  const times = Object.entries(resource).flatMap(([name, value]) =>
    /^(?:created|creation)(?:_?(?:at|on|date|time))?$/i.test(name) ? (timeOf(value) ?? []) : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The last moment of seconds since the epoch that are told from milliseconds by their size. */
const largestSeconds = 1e11;

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value < largestSeconds ? value * 1000 : value;
  if (typeof value !== 'string') return undefined;
  // Without a zone it would be read as local time.
  const isLocal = /^\d{4}-\d{2}-\d{2}[T ][\d:.]+$/.test(value);
  const time = Date.parse(isLocal ? `${value.replace(' ', 'T')}Z` : value);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether something has members, at any depth, that what was sent has not; null counts as absent. */
export function hasMore(found: unknown, sent: unknown): boolean {
  if (!isResource(found) || !isResource(sent)) return false;
  return Object.entries(found).some(([name, value]) =>
    Object.hasOwn(sent, name) ? hasMore(value, sent[name]) : (value ?? null) !== null,
  );
}
