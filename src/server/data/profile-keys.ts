import type { Store } from '../../storage/store.js';
import { firstKeyName } from '../options/first-organization.js';
import type { ProfileKeys } from '../options/server-options.js';

/** Never offers a key of somebody else in place of the first one: a rotation of the profile would delete it. */
export function listProfileKeys({ apiKeys, organizations }: Store, organization: string): ProfileKeys {
  return {
    find: (keyId) => apiKeys.credential(keyId),
    first: async () =>
      (await organizations.issuedFirstKey()) ??
      (await organizations.issueFirstKey(organization, { name: firstKeyName })),
  };
}
