import { resolve as absolute } from 'node:path';
import { systemStore } from '../../api/option-values.js';
import { option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { readMessage, UsageError } from '../../errors/errors.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import {
  type Flags,
  givenSetting,
  type SettingsEnvironment,
  settings,
} from '../../profiles/settings/settings.js';
import { dialectOption, givenDialect } from './dialect.js';

/** Options of `add` and `set` beside those for the secret. */
export const profileOptions = [
  dialectOption,
  option(
    '--default-output <format>',
    'store an output format, which wins over ORGCTL_OUTPUT only if -p names the profile, or remove it with "none"; --output is only for this command',
  ),
  option('--no-verify', 'store without trying the key with GET /quotas first'),
] as const;

export interface ProfileOptions {
  readonly readOnly?: boolean | undefined;
  readonly dialect?: string | undefined;
  readonly defaultOutput?: string | undefined;
}

/** The settings to store in a profile, except the secret. Fields that are `undefined` are to be removed. @throws UsageError */
export async function givenProfile(
  { readOnly, dialect, defaultOutput }: ProfileOptions,
  context: Context,
): Promise<Partial<Profile>> {
  return {
    ...givenSettings(context.flags(), {}, context),
    ...(readOnly !== undefined && { readOnly }),
    ...(await givenDialect(dialect, context)),
    ...(defaultOutput !== undefined && { output: parseOutput(defaultOutput) }),
  };
}

const storedAsTyped = ['auth', 'timeout', 'deadline', 'retries'] as const;

/** The global options that a profile stores. `--output` is for this command. @throws UsageError */
export function givenSettings(flags: Flags, env: SettingsEnvironment, { system }: Context): Partial<Profile> {
  const baseUrl = givenSetting(settings.baseUrl, flags, env)?.value.href;
  const keyId = givenSetting(settings.keyId, flags, env)?.value;
  const caFile = givenSetting(settings.caFile, flags, env)?.value;
  const typed = storedAsTyped.filter((key) => givenSetting<unknown>(settings[key], flags, {}) !== undefined);
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyId !== undefined && { keyId }),
    // Relative paths would depend on the working directory.
    ...(caFile !== undefined && {
      caFile: caFile === systemStore ? caFile : absolute(system.cwd(), caFile),
    }),
    ...Object.fromEntries(typed.map((key) => [key, flags[key]])),
  };
}

/** `none` removes the format. */
function parseOutput(format: string): string | undefined {
  if (format === 'none') return undefined;
  try {
    return settings.output.parse(format);
  } catch (error) {
    throw new UsageError(`--default-output: ${readMessage(error)}`, { cause: error });
  }
}
