import { resolve as absolute } from 'node:path';
import type { Context } from '../../context.js';
import type { Profile } from '../../profiles/profile-file.js';
import { type Environment, type Flags, givenSetting, settings } from '../../profiles/settings.js';

const limits = ['auth', 'timeout', 'deadline', 'retries'] as const;

/**
 * The settings of a profile that global options say, checked, and kept as typed, since the same parsers read them back.
 * `--output` is how this command is to print.
 *
 * @param env where a new profile's address, key ID and CA file may come from, too
 * @throws UsageError for what is not accepted; ConfigError for such a variable
 */
export function givenPlace(
  given: Flags,
  env: Environment,
  { system }: Pick<Context, 'system'>,
): Partial<Profile> {
  const baseUrl = givenSetting(settings.baseUrl, given, env)?.value.href;
  const keyId = givenSetting(settings.keyId, given, env)?.value;
  const caFile = givenSetting(settings.caFile, given, env)?.value;
  for (const key of limits) givenSetting<unknown>(settings[key], given, {});
  const typed = limits.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]] as const]));
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(keyId === undefined ? {} : { keyId }),
    // A relative path would mean another file elsewhere; `system` is a word of its own.
    ...(caFile === undefined
      ? {}
      : { caFile: caFile === 'system' ? caFile : absolute(system.cwd(), caFile) }),
    ...Object.fromEntries(typed),
  };
}
