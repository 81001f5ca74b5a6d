import { keyIdPrefix } from '../../api/resources/api-key.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import type { ProfileKeys } from '../../server/index.js';

/** How a profile names its key and finds the secret. */
export type StoredKey = Pick<Profile, 'keyId' | 'secret' | 'secretCommand' | 'keyring'>;

interface KeyChoice {
  /** Absent if the profile keeps its key. */
  readonly key?: StoredKey;
  /** Whether `serve` chose the key, and may replace it. */
  readonly isServed: boolean;
  readonly isDisabled?: boolean;
}

/**
 * A profile keeps its key if the server has it, unless the key is disabled and `serve` chose it.
 * @param former earlier keys of the profile, the preferred one first
 * @throws ServiceError `quota_exceeded`
 */
export async function chooseKey(
  profile: Profile,
  keys: ProfileKeys,
  former: readonly StoredKey[] = [],
): Promise<KeyChoice> {
  const isServed = profile.keyId === profile.served?.keyId;
  const found = await keys.find(profile.keyId);
  if (found !== undefined && (found.enabled || !isServed)) {
    const isDisabled = !found.enabled;
    if (profile.secret === undefined || profile.secret === found.secret) return { isServed, isDisabled };
    return { key: { keyId: found.keyId, secret: found.secret }, isServed };
  }
  for (const key of former) {
    const again = await keys.find(key.keyId);
    const isSame = key.secret === undefined || key.secret === again?.secret;
    if (again?.enabled && isSame) return { key, isServed: false };
  }
  const { keyId, secret } = await keys.first();
  return { key: { keyId, secret }, isServed: true };
}

export function toStoredKey({ keyId, secret, secretCommand, keyring }: Profile): StoredKey {
  return {
    keyId,
    ...(secret !== undefined && { secret }),
    ...(secretCommand !== undefined && { secretCommand }),
    ...(keyring !== undefined && { keyring }),
  };
}

export function withKey(profile: Profile, { key, isServed }: KeyChoice): Profile {
  if (key === undefined) return profile;
  const { secret: _secret, secretCommand: _command, keyring: _keyring, ...rest } = profile;
  return { ...rest, ...key, ...(isServed && { served: { ...rest.served, keyId: key.keyId } }) };
}

/**
 * Saves a key that `serve` did not choose and is about to replace; a secret in the keyring stays there.
 * @returns a note that says where; `undefined` if nothing is lost @throws ConfigError
 */
export async function saveReplaced(
  name: string,
  profile: Profile,
  { key }: KeyChoice,
  { profiles }: Pick<Context, 'profiles'>,
): Promise<string | undefined> {
  if (key === undefined || profile.keyId === profile.served?.keyId) return undefined;
  const { baseUrl, keyId, secret, secretCommand, keyring } = profile;
  const shown = displayKeyId(keyId);
  const lack = key.keyId === keyId ? `has another secret for ${shown},` : `does not have ${shown},`;
  const what = `this server ${lack} the key of profile ${JSON.stringify(name)}; the profile has ${key.keyId} now`;
  if (keyring) return `${what}; the secret of ${shown} is still in the keyring`;
  const { writeRecoveryFile } = await import('../../profiles/file/write-profile-file.js');
  const content = `${JSON.stringify({ id: keyId, secret, secretCommand, baseUrl }, undefined, 2)}\n`;
  const path = await writeRecoveryFile(
    profiles().path(),
    { name: keyId.startsWith(keyIdPrefix) ? keyId : name },
    content,
  ).catch((cause: unknown) => {
    throw new ConfigError(`the secret of ${shown} cannot be saved: ${describeFileError(cause)}`, { cause });
  });
  return `${what}; ${secret === undefined ? 'the command for its secret' : 'the former secret'} is in ${path}`;
}
