import { readSigningId } from '../api/resources/api-key.js';
import { isResource, normalizeId, readId } from '../api/resources/resource.js';
import { assertCallFailed } from '../errors/errors.js';
import { isKeyId } from '../redaction/harmless.js';
import { type FetchPage, followPages } from './follow-pages.js';
import type { CallOptions } from './page-request.js';

/** A resource as a list shows it. */
export interface Listed<Item> {
  readonly item: Item | undefined;
  /** Whether the list is proved whole and shows all IDs: only then does a missing item not exist. */
  readonly isWhole: boolean;
}

/** Looks for a resource in the list, for services without GET by ID. */
export async function findListed<Item>(
  id: string,
  list: FetchPage<Item>,
  what: string,
  options: CallOptions,
): Promise<Listed<Item>> {
  const idsOf = (item: Item) => (isResource(item) ? [readId(item), readSigningId(item)] : []);
  const has = (item: Item) => idsOf(item).some((own) => own && normalizeId(own) === normalizeId(id));
  // A row that shows no ID of the wanted kind may be the one that is looked for.
  const isTelling = (own: string | undefined) => own !== undefined && (!isKeyId(id) || isKeyId(own));
  let isWhole = true;
  // An incomplete list may show the resource, too.
  const onIncomplete = () => {
    isWhole = false;
  };
  try {
    for await (const { data } of followPages(list, options, { what, onIncomplete })) {
      const item = data.find(has);
      if (item !== undefined) return { item, isWhole };
      isWhole &&= data.every((one) => idsOf(one).some(isTelling));
    }
  } catch (error) {
    return { item: assertCallFailed(error), isWhole: false };
  }
  return { item: undefined, isWhole };
}
