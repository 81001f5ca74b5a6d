import { resolve as absolute } from 'node:path';
import type { Context } from '../../cli/context.js';
import { readMessage, UsageError } from '../../errors/errors.js';
import { readSecret } from '../../input/secret-input.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { requireSecret } from '../../profiles/settings/secret.js';
import {
  type Flags,
  givenSetting,
  type SettingsEnvironment,
  settings,
} from '../../profiles/settings/settings.js';

const storedAsTyped = ['auth', 'timeout', 'deadline', 'retries'] as const;

/** The settings to store in a profile, except `--output`, which formats this command's result. @throws UsageError */
export function givenProfileSettings(
  given: Flags,
  env: SettingsEnvironment,
  { system }: Pick<Context, 'system'>,
): Partial<Profile> {
  const baseUrl = givenSetting(settings.baseUrl, given, env)?.value.href;
  const keyId = givenSetting(settings.keyId, given, env)?.value;
  const caFile = givenSetting(settings.caFile, given, env)?.value;
  for (const key of storedAsTyped) givenSetting<unknown>(settings[key], given, {});
  const typed = storedAsTyped.flatMap((key) =>
    given[key] === undefined ? [] : [[key, given[key]] as const],
  );
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(keyId === undefined ? {} : { keyId }),
    // Relative paths would depend on the working directory; `system` is a keyword.
    ...(caFile === undefined
      ? {}
      : { caFile: caFile === 'system' ? caFile : absolute(system.cwd(), caFile) }),
    ...Object.fromEntries(typed),
  };
}

export const defaultOutputOption = [
  '--default-output <format>',
  'store an output format, which wins over ORGCTL_OUTPUT only if -p names the profile, or remove it with "none"; --output is only for this command',
] as const;

/** `none` removes the format. @throws UsageError for an unknown one */
export function givenDefaultOutput(format: string | undefined): Pick<Profile, 'output'> {
  if (format === undefined) return {};
  if (format === 'none') return { output: undefined };
  try {
    return { output: settings.output.parse(format) };
  } catch (error) {
    throw new UsageError(`--default-output: ${readMessage(error)}`, { cause: error });
  }
}

export interface SecretFlags {
  readonly secretStdin?: boolean | undefined;
  readonly secretEnv?: string | undefined;
  readonly secretCommand?: string | undefined;
  /** Whether to store the secret in the OS keyring; cannot be combined with `secretCommand`. */
  readonly keyring?: boolean | undefined;
}

export function isSecretGiven({ secretStdin, secretEnv, secretCommand }: SecretFlags): boolean {
  return secretStdin === true || secretEnv !== undefined || secretCommand !== undefined;
}

/** The secret to store, or the command that prints it. @param why the profile needs one @throws UsageError if either is empty */
export async function readProfileSecret(
  { secretStdin, secretEnv, secretCommand, keyring }: SecretFlags,
  context: Pick<Context, 'system' | 'stdin' | 'prompt'>,
  why?: string,
): Promise<Pick<Profile, 'secret' | 'secretCommand'>> {
  if (secretCommand !== undefined) {
    if (secretStdin || secretEnv !== undefined) {
      throw new UsageError('--secret-command cannot be combined with --secret-stdin or --secret-env');
    }
    if (keyring) throw new UsageError('--secret-command and --keyring cannot be combined');
    if (secretCommand === '') throw new UsageError('--secret-command: the command is empty');
    return { secretCommand };
  }
  const names = {
    prompt: 'API key secret',
    stdinFlag: '--secret-stdin',
    envFlag: '--secret-env',
    commandFlag: keyring ? undefined : '--secret-command',
    why,
    check: (secret: string) => void requireSecret(secret),
  };
  return { secret: await readSecret({ stdin: secretStdin, env: secretEnv }, names, context) };
}
