import type { DeclaredResource } from '../../api/resources/index.js';
import { type IdentifiedResource, type Resource, readId, withFields } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { allPages, assertNamed, type ListCounts, type ListWatch } from '../../commands/resource/pages.js';
import { ServiceError } from '../../errors/errors.js';

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
  const deleted = new Map(all.map((resource) => [resource, 0]));
  const watch = (resource: DeclaredResource): ListWatch => ({
    onDeleted: () => void deleted.set(resource, (deleted.get(resource) ?? 0) + 1),
    onEnd: (end) => void counts.set(resource, end),
  });
  const lists = await Promise.allSettled(
    all.map((resource) => readKind(resource, api, context, watch(resource))),
  );
  const existing = new Map<DeclaredResource, readonly IdentifiedResource[]>();
  const missing = new Map<DeclaredResource, ServiceError>();
  for (const [at, resource] of all.entries()) {
    const list = lists[at];
    if (list?.status === 'fulfilled') existing.set(resource, list.value);
    else if (isMissing(list?.reason)) missing.set(resource, list.reason);
    else throw list?.reason;
  }
  assertKinds(missing, existing.size > 0, needs);
  for (const [{ plural, kind }, { details }] of missing)
    await context.note(
      `the service has no ${plural} (GET /${kind} returned ${details.status}): they are left out`,
    );
  for (const [{ plural }, count] of deleted)
    if (count > 0) await context.note(`left out ${count} of the ${plural}, marked as deleted by the service`);
  return existing;
}

const missingStatuses: ReadonlySet<number | undefined> = new Set([404, 405, 501]);

/** Whether an error means that the service does not have this kind. */
function isMissing(reason: unknown): reason is ServiceError {
  return reason instanceof ServiceError && missingStatuses.has(reason.details.status);
}

function assertKinds(
  missing: ReadonlyMap<DeclaredResource, ServiceError>,
  hasOthers: boolean,
  needs: (resource: DeclaredResource) => boolean,
): void {
  const [first] = missing.values();
  const [needed] = [...missing].filter(([resource]) => needs(resource));
  // If every path is 404, the base URL may be wrong.
  const mayBeElsewhere = [...missing.values()].every(({ code }) => code === 'not_found');
  if (first !== undefined && !hasOthers && (needed === undefined || mayBeElsewhere)) throw first;
  if (needed === undefined) return;
  const [{ plural, kind }, cause] = needed;
  throw new ServiceError('not_found', `the service does not support ${plural}; nothing was changed`, {
    ...cause.details,
    ...{ retryable: false, next: undefined, hint: `remove "${kind}" from the file`, cause },
  });
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
