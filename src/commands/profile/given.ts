import { resolve as absolute } from 'node:path';
import { systemStore } from '../../api/option-values.js';
import { type OptionsOf, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { loadDialect } from '../../input/dialect-file.js';
import type { Profile } from '../../profiles/file/parse-profile-file.js';
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
  option('--default-output <format>', 'store an output format, or remove it with "none"'),
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

const storedAsTyped = ['auth', 'timeout', 'deadline', 'retries'] as const;

/** The global options that a profile stores; `env` may give the place, too. `--output` is for this command. @throws UsageError */
export function givenSettings(env: SettingsEnvironment, context: Context): Partial<Profile> {
  const flags = context.flags();
  const baseUrl = givenSetting(settings.baseUrl, flags, env)?.value.href;
  const keyId = givenSetting(settings.keyId, flags, env)?.value;
  const caFile = givenSetting(settings.caFile, flags, env)?.value;
  const typed = storedAsTyped.filter((key) => givenSetting<unknown>(settings[key], flags, {}) !== undefined);
  // Relative paths would depend on the working directory.
  const path = caFile && caFile !== systemStore ? absolute(context.system.cwd(), caFile) : caFile;
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyId !== undefined && { keyId }),
    ...(path !== undefined && { caFile: path }),
    ...Object.fromEntries(typed.map((key) => [key, flags[key]])),
  };
}
