import type { Store } from '../../storage/store.js';
import { firstKeyName } from '../options/first-organization.js';
import type { ProfileKeys } from '../options/server-options.js';

/** Never offers another existing key as the first: `orgctl api-keys rotate` would delete it, and others may use it. */
export function listProfileKeys({ apiKeys, organizations }: Store, organization: string): ProfileKeys {
  return {
    find: (keyId) => apiKeys.credential(keyId),
    first: async () =>
      (await organizations.issuedFirstKey()) ??
      (await organizations.issueFirstKey(organization, { name: firstKeyName })),
  };
}
