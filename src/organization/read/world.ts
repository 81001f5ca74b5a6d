import type { DeclaredResource } from '../../api/resources/index.js';
import { type IdentifiedResource, idOf, type Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { allPages } from '../../verbs/pages.js';

/** The existing resources of each kind, oldest first. */
export type World = ReadonlyMap<DeclaredResource, readonly IdentifiedResource[]>;

/** Reads all pages of some kinds, the kinds concurrently. */
export async function readWorld(
  kinds: Iterable<DeclaredResource>,
  api: Api,
  context: Pick<Context, 'note' | 'progress'>,
): Promise<World> {
  const lists = [...kinds].map(
    async (resource) => [resource, await readKind(resource, api, context)] as const,
  );
  return new Map(await Promise.all(lists));
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

/** All resources of a kind, oldest first, with string IDs. */
export async function readKind(
  { property, plural }: DeclaredResource,
  api: Api,
  context: Pick<Context, 'note' | 'progress'>,
): Promise<readonly IdentifiedResource[]> {
  const { deadline } = api.transport;
  const found: IdentifiedResource[] = [];
  for await (const one of allPages(api[property].list, { deadline }, plural, context)) {
    const id = idOf(one);
    if (id !== undefined) found.push({ ...one, id });
  }
  return found;
}
