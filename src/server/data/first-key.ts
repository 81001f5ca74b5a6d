import { keyIdPrefix } from '../../api/resources/api-key.js';
import type { QuotaKind } from '../../api/resources/index.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { isKeyId } from '../../redaction/harmless.js';
import { equalInConstantTime } from '../../signing/basic/basic.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Store } from '../../storage/store.js';
import { type BootstrapKey, firstKeyName, organizationName, type SeededKey } from '../options.js';

/**
 * Returns the store's first key; creates the first organization with a key if there is none. Issues another key if
 * the organization has none, or if all its keys are disabled and `given` has a new ID.
 * @throws UsageError, ConfigError, or QuotaExceeded
 */
export async function firstKey(
  { organizations, quotas, apiKeys }: Store,
  given: BootstrapKey,
  limits: Partial<Record<QuotaKind, number>>,
): Promise<KeyCredential> {
  requireWellFormed(given);
  const key = { name: firstKeyName, id: given.keyId, secret: given.secret };
  const organizationId = await organizations.first();
  if (organizationId === undefined) {
    if (limits['api-keys'] === 0)
      throw new UsageError('the quota for api-keys must be at least 1: it counts the first key');
    const { id, ...made } = await organizations.create(organizationName, limits, key, true);
    return { ...made, organizationId: id, enabled: true };
  }
  await quotas.setLimits(organizationId, limits);
  const stored = await organizations.firstKey();
  if (stored?.enabled) return requireSame(given, stored);
  const isNew = given.keyId !== undefined && (await apiKeys.credential(given.keyId)) === undefined;
  if (stored === undefined || isNew) return organizations.issueFirstKey(organizationId, key);
  const what = 'every API key of the first organization is disabled: the server needs an enabled one';
  throw new ConfigError(what, { hint: 'choose a new ID for the first key, and another one is issued' });
}

function requireWellFormed({ keyId, secret }: BootstrapKey): void {
  if (keyId !== undefined && !isKeyId(keyId))
    throw new UsageError(`the first key's ID must be ${keyIdPrefix} and letters, digits, - or _`);
  if (secret !== undefined && !/^[\x21-\x7e]{64}$/.test(secret))
    throw new ConfigError("the first key's secret must be 64 visible ASCII characters");
}

function requireSame({ keyId, secret }: BootstrapKey, stored: KeyCredential): KeyCredential {
  const isSame = keyId === undefined || keyId === stored.keyId;
  if (isSame && (secret === undefined || equalInConstantTime(secret, stored.secret))) return stored;
  const what = `the first key in the data is ${stored.keyId}, with another ${isSame ? 'secret' : 'ID'} than given`;
  throw new ConfigError(what, { hint: 'leave it out, or choose another data directory' });
}

/** Never another existing key: others may use it, and `orgctl api-keys rotate` would delete it for them. */
export async function profileKey({ organizations }: Store, organization: string): Promise<SeededKey> {
  const issued = await organizations.issuedFirstKey();
  const key = issued ?? (await organizations.issueFirstKey(organization, { name: firstKeyName }));
  return { organization, keyId: key.keyId, secret: key.secret };
}
