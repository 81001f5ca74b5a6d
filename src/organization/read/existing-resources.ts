import type { DeclaredResource } from '../../api/resources/index.js';
import { type IdentifiedResource, type Resource, readId, withFields } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { ServiceError } from '../../errors/errors.js';
import { assertNamed } from '../../verbs/distinct-items.js';
import { allPages, type ListCounts, type ListWatch } from '../../verbs/pages.js';

export type ExistingResources = ReadonlyMap<DeclaredResource, readonly IdentifiedResource[]>;

interface Reading {
  /** Receives what each list says about itself. */
  readonly counts?: Map<DeclaredResource, ListCounts>;
  /** Kinds that the service must have. Default: none. */
  readonly needs?: (resource: DeclaredResource) => boolean;
}

/**
 * Prints notes about kinds that the service lacks, and about deleted resources.
 * @throws if reading fails, no kind exists, or the service lacks a kind in `needs`
 */
export async function readExisting(
  kinds: Iterable<DeclaredResource>,
  api: Api,
  context: Context,
  { counts = new Map(), needs = () => false }: Reading = {},
): Promise<ExistingResources> {
  const all = [...kinds];
  const deleted = new Map<DeclaredResource, number>();
  const watch = (resource: DeclaredResource): ListWatch => ({
    onDeleted: () => void deleted.set(resource, (deleted.get(resource) ?? 0) + 1),
    onEnd: (end) => void counts.set(resource, end),
  });
  const lists = await Promise.allSettled(
    all.map((resource) => readKind(resource, api, context, watch(resource))),
  );
  const existing = new Map<DeclaredResource, readonly IdentifiedResource[]>();
  const missing: MissingKind[] = [];
  for (const [at, resource] of all.entries()) {
    const list = lists[at];
    if (list?.status === 'fulfilled') existing.set(resource, list.value);
    else if (isMissing(list?.reason)) missing.push({ resource, reason: list.reason });
    else throw list?.reason;
  }
  assertKinds(missing, existing.size > 0, needs);
  for (const { resource, reason } of missing) {
    await context.note(
      `the service has no ${resource.plural} (GET /${resource.kind} returned ${reason.details.status}): they are left out`,
    );
  }
  for (const [{ plural }, count] of deleted) {
    await context.note(`left out ${count} of the ${plural}, marked as deleted by the service`);
  }
  return existing;
}

const missingStatuses: ReadonlySet<number | undefined> = new Set([404, 405, 501]);

/** Whether an error means that the service does not have this kind. */
function isMissing(reason: unknown): reason is ServiceError {
  return reason instanceof ServiceError && missingStatuses.has(reason.details.status);
}

interface MissingKind {
  readonly resource: DeclaredResource;
  readonly reason: ServiceError;
}

function assertKinds(
  missing: readonly MissingKind[],
  hasOthers: boolean,
  needs: (resource: DeclaredResource) => boolean,
): void {
  const [first] = missing;
  const needed = missing.find(({ resource }) => needs(resource));
  // If every path is 404, the base URL may be wrong.
  const mayBeElsewhere = missing.every(({ reason }) => reason.code === 'not_found');
  if (first !== undefined && !hasOthers && (needed === undefined || mayBeElsewhere)) throw first.reason;
  if (needed === undefined) return;
  const { resource, reason } = needed;
  throw new ServiceError(
    'not_found',
    `the service does not support ${resource.plural}; nothing was changed`,
    {
      ...reason.details,
      ...{ retryable: false, next: undefined },
      hint: `remove "${resource.kind}" from the file`,
      cause: reason,
    },
  );
}

/** Files identify entries by name; the API reference does not promise that every resource has one. */
export function hasName<One extends Resource>(resource: One): resource is One & { readonly name: string } {
  const { name } = resource;
  return typeof name === 'string' && name !== '';
}

export function groupedByName<One extends Resource>(
  resources: readonly One[],
): ReadonlyMap<unknown, readonly One[]> {
  const groups = new Map<unknown, One[]>();
  for (const one of resources) {
    const group = groups.get(one['name']);
    if (group === undefined) groups.set(one['name'], [one]);
    else group.push(one);
  }
  return groups;
}

export async function readKind(
  resource: DeclaredResource,
  api: Api,
  context: Context,
  watch?: ListWatch,
): Promise<readonly IdentifiedResource[]> {
  const { property, plural } = resource;
  const { deadline } = api.transport;
  const found: IdentifiedResource[] = [];
  for await (const one of allPages(api[property].list, { deadline }, plural, context, watch)) {
    const id = readId(one);
    if (id !== undefined) found.push(withFields(one, { id }));
  }
  assertNamed(resource, found);
  return found;
}
