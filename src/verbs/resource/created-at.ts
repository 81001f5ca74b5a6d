import { isResource, type Resource } from '../../api/resources/resource.js';

/** Milliseconds of clock skew that the service tolerates. */
export const maxClockDifference = 5 * 60 * 1000;

/** Start and end by the service's clock, in milliseconds since the epoch. */
export interface CreationAttempt {
  readonly since: number;
  readonly until: number;
}

/** Whether an attempt can have created a resource, by its creation time if readable. */
export function canComeFrom(resource: Resource, { since, until }: CreationAttempt): boolean {
  const created = readCreationTime(resource);
  return (
    created === undefined || (created >= since - maxClockDifference && created <= until + maxClockDifference)
  );
}

/** Milliseconds since the epoch. The reference names no such field, so any usual spelling counts. */
export function readCreationTime(resource: Resource): number | undefined {
  const times = Object.entries(resource).flatMap(([name, value]) =>
    /^(?:created|creation)(?:_?(?:at|on|date|time))?$/i.test(name) ? (readTime(value) ?? []) : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Below this a number is seconds, above it milliseconds. */
const largestSeconds = 1e11;

function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return value < largestSeconds ? value * 1000 : value;
  if (typeof value !== 'string') return undefined;
  // Without a zone, it would be read as local time.
  const isLocal = /^\d{4}-\d{2}-\d{2}[T ][\d:.]+$/.test(value);
  const time = Date.parse(isLocal ? `${value.replace(' ', 'T')}Z` : value);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether `found` has members, at any depth, that `sent` lacks; null counts as absent. */
export function hasMore(found: unknown, sent: unknown): boolean {
  if (!isResource(found) || !isResource(sent)) return false;
  return Object.entries(found).some(([name, value]) =>
    Object.hasOwn(sent, name) ? hasMore(value, sent[name]) : (value ?? null) !== null,
  );
}
