import type { Context } from '../cli/context.js';
import type { Profile, ProfileFile } from '../profiles/file/profile-file.js';
import { type ResolvedSettings, resolve } from '../profiles/resolve.js';
import { type Environment, type Flags, type Setting, settings } from '../profiles/settings/settings.js';

/**
 * The settings of one profile: variables and all flags except those given here are ignored. Its secret command runs
 * without those variables.
 */
export function settingsOfProfile(
  name: string,
  profile: Profile,
  { system }: Pick<Context, 'system'>,
  flags: Flags = {},
): ResolvedSettings {
  const env = withoutSettings(system.env);
  const store = storeOf(name, profile);
  return resolve({ flags, env, platform: system.platform, store, stderr: system.stderr });
}

/**
 * The settings for trying a key before it is stored or swapped in: base URL, key ID and secret are the profile's, and
 * everything else is resolved as usual, flag > environment > profile.
 */
export function trialSettings(
  name: string,
  profile: Profile,
  { system, flags }: Pick<Context, 'system' | 'flags'>,
): ResolvedSettings {
  const given = flags();
  const kept = {
    ...given,
    baseUrl: undefined,
    keyId: undefined,
    profile: given.profile === name ? name : undefined,
  };
  const { baseUrl, keyId, secret, profile: chosen } = settings;
  return resolve({
    flags: kept,
    env: withoutSettings(system.env, [baseUrl, keyId, secret, chosen]),
    platform: system.platform,
    store: storeOf(name, profile),
    stderr: system.stderr,
  });
}

function storeOf(name: string, profile: Profile) {
  const file: ProfileFile = { version: 1, current: name, profiles: { [name]: profile } };
  return { read: async () => file, path: () => '' };
}

function withoutSettings(
  env: Environment,
  without: readonly Setting<unknown>[] = Object.values(settings),
): Environment {
  const variables = new Set<string | undefined>(without.map((setting) => setting.env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !variables.has(name)));
}
