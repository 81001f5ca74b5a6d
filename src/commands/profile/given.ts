import { resolve as absolute } from 'node:path';
import { systemStore } from '../../api/option-values.js';
import { type OptionsOf, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { InterruptedError, OrgctlError, UsageError } from '../../errors/errors.js';
import { loadDialect } from '../../input/dialect-file.js';
import { readSecret } from '../../input/questions.js';
import { type Profile, type ProfileFile, storedKeys } from '../../profiles/file/parse-profile-file.js';
import { askKeyring, keyringAccount } from '../../profiles/keyring/keyring.js';
import { settingsOfProfile } from '../../profiles/resolve.js';
import { requireSecret } from '../../profiles/settings/secret.js';
import { givenSetting, type SettingsEnvironment, settings } from '../../profiles/settings/settings.js';

export const profileOptions = [
  option('--secret-stdin', 'read the secret from stdin', { conflicts: ['secretEnv'] }),
  option('--secret-env <variable>', 'read the secret from an environment variable, and store it'),
  option('--secret-command <command>', 'store a command that prints the secret, instead of the secret', {
    conflicts: ['secretStdin', 'secretEnv', 'keyring'],
  }),
  option('--keyring', "store the secret in the operating system's keyring"),
  option('--read-only', 'send only GET requests; proxy also forwards HEAD and OPTIONS'),
  option('--dialect <file>', 'accept only responses in this dialect, by name or file; "none" accepts all'),
  option('--default-output <format>', 'store an output format; "none" stores none'),
  option('--no-verify', 'store without trying the key with GET /quotas first'),
] as const;

/** With `--no-read-only` and `--no-keyring`, which only `set` has. */
export type ProfileOptions = Omit<OptionsOf<typeof profileOptions>, 'readOnly' | 'keyring'> & {
  readonly [Switch in 'readOnly' | 'keyring']?: boolean | undefined;
};

/** The settings to store, except the secret. Fields that are `undefined` are to be removed. @throws UsageError */
export async function givenProfile(
  { readOnly, dialect, defaultOutput }: ProfileOptions,
  context: Context,
): Promise<Partial<Profile>> {
  const load = (given: string) => loadDialect('--dialect', given, context);
  return {
    ...givenSettings({}, context),
    ...(readOnly !== undefined && { readOnly }),
    ...(dialect !== undefined && { dialect: dialect === 'none' ? undefined : await load(dialect) }),
    ...(defaultOutput !== undefined && {
      output: defaultOutput === 'none' ? undefined : settings.output.parse(defaultOutput),
    }),
  };
}

/** The global options that a profile stores, except `--output`; of `env`, only address, key ID and CA file. @throws UsageError */
export function givenSettings(env: SettingsEnvironment, context: Context): Partial<Profile> {
  const flags = context.flags();
  const typed = storedKeys.filter((key) => givenSetting<unknown>(settings[key], flags, {}) !== undefined);
  const baseUrl = givenSetting(settings.baseUrl, flags, env)?.value.href;
  const keyId = givenSetting(settings.keyId, flags, env)?.value;
  const caFile = givenSetting(settings.caFile, flags, env)?.value;
  // Relative paths would depend on the working directory.
  const path = caFile && caFile !== systemStore ? absolute(context.system.cwd(), caFile) : caFile;
  return {
    ...Object.fromEntries(typed.map((key) => [key, flags[key]])),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyId !== undefined && { keyId }),
    ...(path !== undefined && { caFile: path }),
  };
}

export type StoredSecret = Pick<Profile, 'secret' | 'secretCommand' | 'keyring'>;

/** The secret or secret command to store. @param why it is needed, for the hint @throws UsageError for an unusable one */
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

/** Checks a profile's credential. @throws the failure, after a note that nothing was stored */
export async function tryProfile(name: string, profile: Profile, context: Context): Promise<void> {
  try {
    const service = await settingsOfProfile(name, profile, context, context.flags()).service();
    // No retries, because the address may be mistyped.
    const api = await context.apiFor({ ...service, retries: 0 });
    const { unread } = await api.checkCredential();
    if (unread !== undefined)
      await context.note(`the service accepts the key, but the quotas cannot be read: ${unread.message}`);
  } catch (error) {
    if (!(error instanceof OrgctlError) || error instanceof InterruptedError) throw error;
    await context.note(
      `nothing was stored: check address, key ID and secret for ${profile.baseUrl}, or pass --no-verify`,
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
