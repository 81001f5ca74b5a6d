import { issueSchema, renameSchema } from '../../api/control/control.js';
import type { KeyCredential, StoredApiKey } from '../../storage/api-keys.js';
import { OutcomeUnknown, StoreUnavailable } from '../../storage/engine.js';
import type { Store } from '../../storage/store.js';
import { HttpError } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import type { ControlledKeys, IssuedKey, KeyToIssue, ListedKey } from './control.js';

const defaultName = 'control';

/** @param organization the default for new keys */
export function controlKeys(store: Store, organization: string): ControlledKeys {
  return {
    async list(only) {
      if (only !== undefined) await requireOrganization(store, only);
      const keys = await store.apiKeys.listOfAll();
      return only === undefined ? keys : keys.filter((key) => key.organization === only);
    },
    // Checks in-process callers as well: an empty secret would admit anyone who knows the ID.
    issue: async (key = {}) => issueKey(store, { organization, ...conforming(issueSchema, key) }),
    disable: (keyId) => changeKey(store, keyId, { enabled: false }),
    enable: (keyId) => changeKey(store, keyId, { enabled: true }),
    async rename(keyId, name) {
      const parsed = conforming(renameSchema, { id: keyId, name });
      return changeKey(store, parsed.id, { name: parsed.name });
    },
    async revoke(keyId) {
      const key = await requireKey(store, keyId);
      await store.apiKeys.delete(key.organizationId, keyId);
    },
  };
}

export async function requireOrganization({ quotas }: Pick<Store, 'quotas'>, id: string): Promise<void> {
  if (Object.keys(await quotas.of(id)).length === 0)
    throw new HttpError(404, `organization ${JSON.stringify(id)} not found`);
}

async function issueKey(
  store: Store,
  { organization, name = defaultName, id, secret }: KeyToIssue & { readonly organization: string },
): Promise<IssuedKey> {
  await requireOrganization(store, organization);
  try {
    const key = await store.apiKeys.create(organization, { name, id, secret });
    return { ...key, organization };
  } catch (error) {
    // After an unconfirmed creation, the ID may belong to the new key itself.
    const isStoreFailure = error instanceof StoreUnavailable || error instanceof OutcomeUnknown;
    if (isStoreFailure || id === undefined || (await store.apiKeys.credential(id)) === undefined) throw error;
    throw new HttpError(409, `key ${JSON.stringify(id)} already exists`);
  }
}

async function changeKey(
  store: Store,
  keyId: string,
  change: Partial<Pick<StoredApiKey, 'enabled' | 'name'>>,
): Promise<ListedKey> {
  const { organizationId: organization } = await requireKey(store, keyId);
  const key = await store.apiKeys.update(organization, keyId, (current) => ({ ...current, ...change }));
  if (key === undefined) throw noSuchKey(keyId);
  return { ...key, organization };
}

async function requireKey({ apiKeys }: Store, keyId: string): Promise<KeyCredential> {
  const key = await apiKeys.credential(keyId);
  if (key === undefined) throw noSuchKey(keyId);
  return key;
}

export function noSuchKey(keyId: string): HttpError {
  return new HttpError(404, `key ${JSON.stringify(keyId)} not found`);
}
