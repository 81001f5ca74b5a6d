import type { KeyCredential, StoredApiKey } from '../../storage/api-keys.js';
import { isDuplicate } from '../../storage/engine.js';
import type { Store } from '../../storage/store.js';
import { HttpError } from '../http/answer.js';
import type { Service } from '../service.js';
import type { IssuedKey, KeyToIssue, ListedKey } from './control.js';

/** @throws HttpError 404 for an unknown organization */
export async function listKeys({ store }: Service, organization: string | undefined): Promise<ListedKey[]> {
  if (organization !== undefined) await requireOrganization(store, organization);
  const keys = await store.apiKeys.listOfAll();
  return organization === undefined ? keys : keys.filter((key) => key.organization === organization);
}

/** @throws HttpError 404 for an unknown organization, 409 for a taken ID */
export async function issueKey(
  { store, organization: first }: Service,
  { organization = first, name = 'control', id, secret }: KeyToIssue,
): Promise<IssuedKey> {
  await requireOrganization(store, organization);
  const created = await store.apiKeys.create(organization, { name, id, secret }).catch((error: unknown) => {
    throw isDuplicate(error) ? new HttpError(409, `key ${JSON.stringify(id)} already exists`) : error;
  });
  return { ...created, organization };
}

/** @throws HttpError 404 for an unknown key */
export async function changeKey(
  { store }: Service,
  keyId: string,
  change: Partial<Pick<StoredApiKey, 'enabled' | 'name'>>,
): Promise<ListedKey> {
  const { organizationId: organization } = await requireKey(store, keyId);
  const key = await store.apiKeys.update(organization, keyId, (current) => ({ ...current, ...change }));
  if (key === undefined) throw noSuchKey(keyId);
  return { ...key, organization };
}

/** An enabled key, preferably the first. @throws HttpError 404 */
export async function findFirstKey({ store, organization }: Service, firstId: string) {
  const first = await store.apiKeys.credential(firstId);
  const key = first?.enabled ? first : await store.apiKeys.oldest(organization);
  if (key?.enabled) return { keyId: key.keyId, secret: key.secret };
  const fate = first === undefined ? 'has been deleted' : 'is disabled';
  throw new HttpError(404, `the first key of this server, ${firstId}, ${fate}, and no other one is enabled`);
}

export async function requireOrganization({ quotas }: Store, id: string): Promise<void> {
  if (Object.keys(await quotas.of(id)).length === 0)
    throw new HttpError(404, `organization ${JSON.stringify(id)} not found`);
}

export async function requireKey({ apiKeys }: Store, keyId: string): Promise<KeyCredential> {
  const key = await apiKeys.credential(keyId);
  if (key === undefined) throw noSuchKey(keyId);
  return key;
}

function noSuchKey(keyId: string): HttpError {
  return new HttpError(404, `key ${JSON.stringify(keyId)} not found`);
}
