import type { DeclaredResource } from '../../api/resources/index.js';
import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { ServiceError } from '../../errors/errors.js';
import { maxClockDifference } from '../../signing/hmac/timestamp.js';
import { readTime } from '../../text/duration.js';

/** Start and end by the service's clock, in milliseconds since the epoch. */
export interface CreationAttempt {
  readonly since: number;
  readonly until: number;
}

/** Whether an attempt could have created a resource; also true if its creation time is unreadable. */
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

/** IDs that a new resource cannot have. */
export interface KnownIds {
  /** From a list read before the creations. */
  readonly before: ReadonlySet<unknown>;
  /** From the responses to this run's creations. */
  readonly created: Set<unknown>;
}

export function knownFrom(listed: readonly Resource[]): KnownIds {
  return { before: new Set(listed.map(readId)), created: new Set() };
}

export function isKnown({ before, created }: KnownIds, id: unknown): boolean {
  return before.has(id) || created.has(id);
}

/** Adds a new resource's ID to `known`. @throws ServiceError `server` if the response has the ID of another resource */
export function admitNew({ singular, kind }: DeclaredResource, created: Resource, known: KnownIds): void {
  const id = readId(created);
  if (id === undefined) return;
  if (isKnown(known, id)) {
    throw new ServiceError(
      'server',
      `the service responded to the creation request with the ID of an existing ${singular}: ${id}`,
      { hint: 'it was not changed; list all', next: ['orgctl', kind, 'list', '--all'] },
    );
  }
  known.created.add(id);
}
