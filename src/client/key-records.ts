import { readSigningId } from '../api/resources/api-key.js';
import type { Resource } from '../api/resources/resource.js';
import { ServiceError } from '../errors/errors.js';
import { isKeyId } from '../redaction/harmless.js';
import { type FetchPage, followPages } from './follow-pages.js';

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
  const found: Resource[] = [];
  let [isEach, isSigner] = [true, false];
  for await (const { data } of followPages(list, { deadline }, { what: 'API keys' })) {
    found.push(...data.filter((key) => readSigningId(key) === keyId));
    isEach &&= data.every((key) => isKeyId(readSigningId(key) ?? ''));
    isSigner ||= data.some((key) => readSigningId(key) === signingId);
  }
  const [first, ...others] = found;
  if (others.length > 0) throw new ServiceError('server', `${found.length} API keys have the ID ${keyId}`);
  if (first === undefined && !(isEach && isSigner)) {
    throw new ServiceError('server', `the list of API keys does not show which of them is ${keyId}`);
  }
  return first;
}
