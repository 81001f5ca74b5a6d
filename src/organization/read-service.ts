import type { DeclaredResource } from '../api/resources/index.js';
import { type IdentifiedResource, type Resource, readId, withFields } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import { assertNamed } from '../commands/resource/pages.js';
import { readAll } from '../commands/resource/target.js';
import { ServiceError } from '../errors/errors.js';

export type ExistingResources = ReadonlyMap<DeclaredResource, readonly IdentifiedResource[]>;

/** All resources of these kinds. @throws if a list cannot be read; `mayLack` omits lists that the service lacks */
export async function readExisting(
  kinds: Iterable<DeclaredResource>,
  context: Context,
  mayLack = false,
): Promise<ExistingResources> {
  const all = [...kinds];
  const lists = await Promise.allSettled(all.map((resource) => readKind(resource, context)));
  const existing = new Map<DeclaredResource, readonly IdentifiedResource[]>();
  // If every path is 404, the base URL may be wrong.
  const hasSome = lists.some(({ status }) => status === 'fulfilled');
  for (const [at, resource] of all.entries()) {
    const list = lists[at];
    if (list?.status === 'fulfilled') existing.set(resource, list.value);
    else if (!hasSome || !isLacking(list?.reason)) throw list?.reason;
    else if (!mayLack) {
      const details = { hint: `remove "${resource.kind}" from the file`, cause: list?.reason };
      const what = `the service has no list of ${resource.plural}; nothing was changed`;
      throw new ServiceError('not_found', what, details);
    }
  }
  return existing;
}

function isLacking(reason: unknown): boolean {
  return reason instanceof ServiceError && [404, 405, 501].includes(reason.details.status ?? 0);
}

/** The API reference does not promise that every resource has a name. */
export function hasName<One extends Resource>(resource: One): resource is One & { readonly name: string } {
  const { name } = resource;
  return typeof name === 'string' && name !== '';
}

export function groupByName<One extends Resource>(all: readonly One[]): ReadonlyMap<unknown, readonly One[]> {
  const groups = new Map<unknown, One[]>();
  for (const one of all) {
    const group = groups.get(one['name']) ?? [];
    groups.set(one['name'], group);
    group.push(one);
  }
  return groups;
}

export async function readKind(
  resource: DeclaredResource,
  context: Context,
): Promise<readonly IdentifiedResource[]> {
  const all = await readAll(resource, context);
  assertNamed(resource, all);
  return all.flatMap((one) => {
    const id = readId(one);
    return id === undefined ? [] : [withFields(one, { id })];
  });
}
