import { readSigningId } from '../api/resources/api-key.js';
import { isResource, normalizeId, readId } from '../api/resources/resource.js';
import { assertCallFailed } from '../errors/errors.js';
import { type FetchPage, followPages } from './follow-pages.js';
import type { CallOptions } from './page-request.js';

/** Looks for a resource in the list, for services without GET by ID; `undefined` if the list does not show it. */
export async function findListed<Item>(
  id: string,
  list: FetchPage<Item>,
  plural: string,
  options: CallOptions,
): Promise<Item | undefined> {
  const has = (item: Item) =>
    isResource(item) &&
    [readId(item), readSigningId(item)].some((own) => own && normalizeId(own) === normalizeId(id));
  // An incomplete list may show the resource, too.
  const following = { what: plural, onIncomplete: () => undefined };
  try {
    for await (const { data } of followPages(list, options, following)) {
      const found = data.find(has);
      if (found !== undefined) return found;
    }
  } catch (error) {
    return assertCallFailed(error);
  }
  return undefined;
}
