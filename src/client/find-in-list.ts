import { readSigningId } from '../api/resources/api-key.js';
import { isResource, normalizeId, type Resource, readId } from '../api/resources/resource.js';
import { assertCallFailed, ServiceError } from '../errors/errors.js';
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
  let isWhole = true;
  // An incomplete list may show the resource, too.
  const onIncomplete = () => {
    isWhole = false;
  };
  try {
    for await (const { data } of followPages(list, options, { what, onIncomplete })) {
      const item = data.find(has);
      if (item !== undefined) return { item, isWhole };
      isWhole &&= data.every((one) => idsOf(one).some((own) => own !== undefined));
    }
  } catch (error) {
    return { item: assertCallFailed(error), isWhole: false };
  }
  return { item: undefined, isWhole };
}

/** A list of keys. It can prove that a key is missing only if it contains the signing key. */
export interface KeyList {
  readonly list: FetchPage<Resource>;
  readonly signingId: string;
  readonly deadline: number;
}

/**
 * Finds a key's record by the ID that the key signs with, which may differ from the ID in paths; `undefined` if the
 * list proves that there is none.
 * @throws ServiceError `server` if the list is incomplete or ambiguous; or the error of reading it
 */
export async function findKey(
  keyId: string,
  { list, signingId, deadline }: KeyList,
): Promise<Resource | undefined> {
  const keys: Resource[] = [];
  for await (const { data } of followPages(list, { deadline }, { what: 'API keys' })) keys.push(...data);
  const ids = keys.map((key) => readSigningId(key) ?? '');
  const found = keys.filter((_, at) => ids[at] === keyId);
  const isProved = found.length === 1 || (ids.every(isKeyId) && ids.includes(signingId));
  if (found.length > 1 || !isProved) {
    throw new ServiceError('server', `the list of API keys does not show which of them is ${keyId}`);
  }
  return found[0];
}
