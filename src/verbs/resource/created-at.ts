import { isResource, type Resource } from '../../api/resources/resource.js';
import { maxClockDifference, readTime } from '../../client/reading/record/record-time.js';

/** Start and end by the service's clock, in milliseconds since the epoch. */
export interface CreationAttempt {
  readonly since: number;
  readonly until: number;
}

/** Whether an attempt can have created a resource; also true if its creation time is unreadable. */
export function canComeFrom(resource: Resource, { since, until }: CreationAttempt): boolean {
  const created = readCreationTime(resource);
  return (
    created === undefined || (created >= since - maxClockDifference && created <= until + maxClockDifference)
  );
}

/** In milliseconds since the epoch. The API reference names no such field, so any usual spelling counts. */
export function readCreationTime(resource: Resource): number | undefined {
  const times = Object.entries(resource).flatMap(([name, value]) =>
    /^(?:created|creation)(?:_?(?:at|on|date|time))?$/i.test(name) ? (readTime(value) ?? []) : [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether `found` has a member other than null, at any depth, that `sent` lacks. */
export function hasMore(found: unknown, sent: unknown): boolean {
  if (!isResource(found) || !isResource(sent)) return false;
  return Object.entries(found).some(([name, value]) =>
    Object.hasOwn(sent, name) ? hasMore(value, sent[name]) : (value ?? null) !== null,
  );
}
