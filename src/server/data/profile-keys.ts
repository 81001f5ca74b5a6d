import type { Store } from '../../storage/store.js';
import { firstKeyName } from '../options/first-organization.js';
import type { ProfileKeys } from '../options/server-options.js';

/** Never offers another existing key as the first: it may be someone else's, and a rotation would delete it. */
export function listProfileKeys({ apiKeys, organizations }: Store, organization: string): ProfileKeys {
  return {
    find: (keyId) => apiKeys.credential(keyId),
    first: async () =>
      (await organizations.issuedFirstKey()) ??
      (await organizations.issueFirstKey(organization, { name: firstKeyName })),
  };
}
