import type { Context } from '../../cli/context.js';
import { ConfigError, OrgctlError } from '../../errors/errors.js';
import { isRotating, type Profile, type ProfileFile } from '../../profiles/file/profile-file.js';
import {
  describeEntry,
  keyringEntry,
  readKeyring,
  removeFromKeyring,
  writeKeyring,
} from '../../profiles/keyring/keyring.js';

export type StoredSecret = Pick<Profile, 'secret' | 'secretCommand' | 'keyring'>;

type KeyringContext = Pick<Context, 'system'>;

/** Stores a secret in the keyring if `inKeyring`. @returns what to store in the profile file @throws ConfigError */
export async function keepSecret(
  name: string,
  profile: Profile,
  inKeyring: boolean,
  { system }: KeyringContext,
): Promise<StoredSecret> {
  const { secret, secretCommand } = profile;
  if (secretCommand !== undefined) return { secretCommand };
  if (!inKeyring || secret === undefined) return { secret };
  await writeKeyring(keyringEntry(profile), secret, optionsFor(name, system.env));
  return { keyring: true };
}

/** A profile's secret from its file or the keyring; runs no command. @throws ConfigError if the keyring fails */
export async function ownSecret(
  name: string,
  profile: Profile,
  { system }: KeyringContext,
): Promise<StoredSecret> {
  if (!profile.keyring) return { secret: profile.secret };
  return { secret: await readKeyring(keyringEntry(profile), optionsFor(name, system.env)) };
}

/** Removes a secret from the keyring, unless one of `others` uses it. @throws ConfigError */
export async function forgetSecret(
  name: string,
  profile: Profile,
  others: ProfileFile['profiles'],
  { system }: KeyringContext,
): Promise<void> {
  if (!profile.keyring || !URL.canParse(profile.baseUrl)) return;
  const entry = keyringEntry(profile);
  const isShared = Object.values(others).some(
    (other) => other.keyring && URL.canParse(other.baseUrl) && keyringEntry(other).account === entry.account,
  );
  if (!isShared) await removeFromKeyring(entry, optionsFor(name, system.env));
}

/** Like `forgetSecret`, for the secret of a replaced profile, but only notes a failure. */
export async function forgetReplaced(
  name: string,
  replaced: Profile,
  { profiles }: ProfileFile,
  context: KeyringContext & Pick<Context, 'note'>,
): Promise<void> {
  await forgetSecret(name, replaced, profiles, context).catch(async (error: unknown) => {
    if (!(error instanceof OrgctlError)) throw error;
    const entry = describeEntry(keyringEntry(replaced));
    await context.note(`the former secret is still in the keyring (${entry}): ${error.message}`);
  });
}

/** @throws ConfigError during a rotation, whose records are bound to this address, key and secret */
export function assertNotRotating(name: string, profile: Profile): void {
  if (!isRotating(profile)) return;
  throw new ConfigError(`the key rotation of profile ${JSON.stringify(name)} is unfinished`, {
    hint: 'finish it first',
    next: ['orgctl', 'api-keys', 'rotate', '-p', name],
  });
}

/** @throws ConfigError if another process has changed or is rotating the credential */
export function assertSameCredential(name: string, current: Profile, read: Profile): void {
  assertNotRotating(name, current);
  const isSame =
    current.baseUrl === read.baseUrl && current.keyId === read.keyId && current.secret === read.secret;
  if (isSame) return;
  throw new ConfigError(
    `another process has changed profile ${JSON.stringify(name)}; nothing was changed here`,
    {
      hint: 'run the same command again',
    },
  );
}

function optionsFor(name: string, env: Context['system']['env']) {
  return { owner: `profile "${name}"`, profile: name, env };
}
