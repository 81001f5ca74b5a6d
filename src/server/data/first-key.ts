import { keyIdPrefix, secretLength } from '../../api/resources/api-key.js';
import type { QuotaKind } from '../../api/resources/index.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { isKeyId } from '../../redaction/harmless.js';
import { equalInConstantTime } from '../../signing/basic/basic.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { QuotaExceeded } from '../../storage/quotas.js';
import type { Store } from '../../storage/store.js';
import { type BootstrapKey, firstKeyName, organizationName } from '../options/first-organization.js';

/**
 * Returns the store's first key; creates the first organization with a key if there is none. Issues another key if
 * the organization has none. Also does so if all its keys are disabled and `given` has a new ID.
 * @throws UsageError for a malformed ID or a quota of 0 keys; ConfigError if the secret is malformed, if the given key is
 * not the stored one, or if no key is usable
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
    requireRoom(limits);
    return organizations.createFirst(organizationName, limits, key);
  }
  await quotas.setLimits(organizationId, limits);
  const stored = await organizations.firstKey();
  if (stored?.enabled) {
    requireSame(given, stored);
    return stored;
  }
  const isNew = given.keyId !== undefined && (await apiKeys.credential(given.keyId)) === undefined;
  if (stored !== undefined && !isNew) throw allDisabled();
  return organizations.issueFirstKey(organizationId, key).catch((error: unknown) => {
    throw error instanceof QuotaExceeded ? noRoom(error) : error;
  });
}

function allDisabled(): ConfigError {
  return new ConfigError(
    'every API key of the first organization is disabled: the server needs an enabled one',
    {
      hint: 'choose a new ID for the first key, and another one is issued',
    },
  );
}

function noRoom(cause: QuotaExceeded): ConfigError {
  const { limit, used } = cause;
  return new ConfigError(
    `no API key of the first organization can be used, and its quota has no room for another (${used} of ${limit} used)`,
    { hint: `raise the quota for API keys to ${used + 1}`, cause },
  );
}

function requireRoom({ 'api-keys': limit }: Partial<Record<QuotaKind, number>>): void {
  if (limit === undefined || limit >= 1) return;
  throw new UsageError('a quota of 0 API keys leaves no room for the first key', {
    hint: 'raise the quota for API keys to 1 or more',
  });
}

function requireWellFormed({ keyId, secret }: BootstrapKey): void {
  if (keyId !== undefined && !isKeyId(keyId)) {
    throw new UsageError(`the first key's ID must be ${keyIdPrefix} and letters, digits, - or _`, {
      hint: 'change it, or leave it out and one is generated',
    });
  }
  if (secret !== undefined && !new RegExp(`^[\\x21-\\x7e]{${secretLength}}$`).test(secret)) {
    throw new ConfigError(`the first key's secret must be ${secretLength} visible ASCII characters`, {
      hint: 'change it, or leave it out and one is generated',
    });
  }
}

function requireSame(given: BootstrapKey, stored: KeyCredential): void {
  if (given.keyId !== undefined && given.keyId !== stored.keyId) {
    throw new ConfigError(`the first key in the data is ${stored.keyId}, not ${given.keyId}`, {
      hint: 'leave out the ID, or choose another data directory',
    });
  }
  if (given.secret !== undefined && !equalInConstantTime(given.secret, stored.secret)) {
    throw new ConfigError(`the given secret does not belong to ${stored.keyId}, the first key in the data`, {
      hint: 'leave out the secret, or choose another data directory',
    });
  }
}
