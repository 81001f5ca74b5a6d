import type { Context } from '../../cli/context.js';
import { InterruptedError, OrgctlError, UsageError } from '../../errors/errors.js';
import { readSecret } from '../../input/questions.js';
import type { Profile, ProfileFile } from '../../profiles/file/parse-profile-file.js';
import { askKeyring, keyringAccount } from '../../profiles/keyring/keyring.js';
import { settingsOfProfile } from '../../profiles/resolve.js';
import { requireSecret } from '../../profiles/settings/secret.js';
import type { ProfileOptions } from './given.js';

export type StoredSecret = Pick<Profile, 'secret' | 'secretCommand' | 'keyring'>;

/** The secret to store, or the command that prints it. @param why the profile needs one @throws UsageError for an unusable one */
export async function readProfileSecret(
  { secretStdin, secretEnv, secretCommand }: ProfileOptions,
  context: Context,
  why?: string,
): Promise<StoredSecret> {
  if (secretCommand === undefined) {
    const names = {
      prompt: 'API key secret',
      option: '--secret',
      hint: `${why === undefined ? '' : `${why}: `}use --secret-stdin, --secret-env VAR or --secret-command COMMAND`,
      check: (secret: string) => void requireSecret(secret, (what) => new UsageError(`the secret ${what}`)),
    };
    return { secret: await readSecret({ stdin: secretStdin, env: secretEnv }, names, context) };
  }
  if (secretCommand === '') throw new UsageError('--secret-command: the command is empty');
  return { secretCommand };
}

/** Sends a signed read with the profile. @throws the failure, after a note that nothing was stored */
export async function tryProfile(name: string, profile: Profile, context: Context): Promise<void> {
  try {
    const service = await settingsOfProfile(name, profile, context, context.flags()).service();
    // Once, because the address may be mistyped.
    const api = await context.apiFor({ ...service, retries: 0 });
    const { unread } = await api.checkCredential();
    if (unread !== undefined)
      await context.note(`the service accepts the key, but the quotas cannot be read: ${unread.message}`);
  } catch (error) {
    if (!(error instanceof OrgctlError) || error instanceof InterruptedError) throw error;
    await context.note(
      `nothing was stored: check address, key ID and secret for ${profile.baseUrl}; or store them unchecked with --no-verify`,
    );
    throw error;
  }
}

/** Stores a secret in the keyring if `inKeyring`. @returns what to store in the profile file @throws ConfigError */
export async function keepSecret(
  name: string,
  profile: Profile,
  inKeyring: boolean,
  { system }: Context,
): Promise<StoredSecret> {
  const { secret, secretCommand } = profile;
  if (secretCommand !== undefined) return { secretCommand };
  if (!inKeyring || secret === undefined) return { secret };
  await askKeyring('write', keyringAccount(profile), { name, env: system.env }, secret);
  return { keyring: true };
}

/** Removes a secret from the keyring, unless one of `others` uses it. @throws ConfigError */
export async function forgetSecret(
  name: string,
  profile: Profile,
  others: ProfileFile['profiles'],
  { system }: Context,
): Promise<void> {
  const accountOf = (one: Profile) =>
    one.keyring && URL.canParse(one.baseUrl) ? keyringAccount(one) : undefined;
  const account = accountOf(profile);
  const isShared = Object.values(others).some((other) => accountOf(other) === account);
  if (account !== undefined && !isShared) await askKeyring('remove', account, { name, env: system.env });
}
