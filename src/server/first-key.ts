import { keyIdPrefix, secretLength } from '../contract/api-key.js';
import type { ResourceKind } from '../contract/resource-kind.js';
import { ConfigError, UsageError } from '../errors.js';
import { equalInConstantTime } from '../signing/index.js';
import type { KeyCredential } from '../storage/api-keys.js';
import type { Store } from '../storage/store.js';
import { type BootstrapKey, defaultLimits, firstKeyName, organizationName } from './first-organization.js';

/**
 * The key to start with: that of an earlier start, or at the first one that of a new organization. It counts towards
 * `api-keys` like any other.
 * @throws UsageError for an ID, which is typed, and ConfigError for a secret that is not well-formed; ConfigError when
 * the given key is not the one that is stored.
 */
export async function firstKey(
  { organizations, quotas }: Store,
  given: BootstrapKey,
  limits: Partial<Record<ResourceKind, number>>,
): Promise<KeyCredential> {
  requireWellFormed(given);
  const key = { name: firstKeyName, id: given.keyId, secret: given.secret };
  const organizationId = await organizations.first();
  if (organizationId === undefined) {
    requireRoom(limits);
    return organizations.createFirst(organizationName, { ...defaultLimits, ...limits }, key);
  }
  await quotas.setLimits(organizationId, limits);
  const stored = await organizations.firstKey();
  if (stored === undefined) return organizations.issueFirstKey(organizationId, key);
  requireSame(given, stored);
  return stored;
}

function requireRoom({ 'api-keys': limit }: Partial<Record<ResourceKind, number>>): void {
  if (limit === undefined || limit >= 1) return;
  throw new UsageError('a quota of no API keys leaves no room for the first key', {
    hint: 'give --quota api-keys=1 or more',
  });
}

function requireWellFormed({ keyId, secret }: BootstrapKey): void {
  if (keyId !== undefined && !/^key_[A-Za-z0-9_-]{1,128}$/.test(keyId)) {
    throw new UsageError(`the first key's ID must be ${keyIdPrefix} and letters, digits, - or _`, {
      hint: 'change --bootstrap-key-id, or leave it out and one is generated',
    });
  }
  if (secret !== undefined && !new RegExp(`^[\\x21-\\x7e]{${secretLength}}$`).test(secret)) {
    throw new ConfigError(`the first key's secret must be ${secretLength} visible ASCII characters`, {
      hint: 'change ORGCTL_SERVE_SECRET, or unset it and one is generated',
    });
  }
}

function requireSame(given: BootstrapKey, stored: KeyCredential): void {
  if (given.keyId !== undefined && given.keyId !== stored.keyId) {
    throw new ConfigError(`the data was made with the first key ${stored.keyId}, not ${given.keyId}`, {
      hint: 'leave out --bootstrap-key-id, or use another directory with --data',
    });
  }
  if (given.secret !== undefined && !equalInConstantTime(given.secret, stored.secret)) {
    throw new ConfigError(`the given secret is not that of ${stored.keyId}, the first key in the data`, {
      hint: 'unset ORGCTL_SERVE_SECRET, or use another directory with --data',
    });
  }
}
