import type { Store } from '../../storage/store.js';
import { firstKeyName } from '../options/first-organization.js';
import type { ProfileKeys } from '../options/server-options.js';

/** Never offers another key as the first: others may use it, and `orgctl api-keys rotate` would delete it for them. */
export function listProfileKeys({ apiKeys, organizations }: Store, organization: string): ProfileKeys {
  return {
    find: (keyId) => apiKeys.credential(keyId),
    first: async () =>
      (await organizations.issuedFirstKey()) ??
      (await organizations.issueFirstKey(organization, { name: firstKeyName })),
  };
}
