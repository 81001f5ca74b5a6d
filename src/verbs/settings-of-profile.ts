import type { Context } from '../cli/context.js';
import type { Profile, ProfileFile } from '../profiles/file/profile-file.js';
import { type ResolvedSettings, resolve } from '../profiles/resolve.js';
import { secretFileVariable } from '../profiles/settings/secret-file.js';
import {
  type Flags,
  type Setting,
  type SettingsEnvironment,
  settings,
} from '../profiles/settings/settings.js';

/** One profile's settings with `flags`. Ignores variables for settings, and hides them from the secret command. */
export function settingsOfProfile(
  name: string,
  profile: Profile,
  { system, signal }: Pick<Context, 'system' | 'signal'>,
  flags: Flags = {},
): ResolvedSettings {
  const env = omitSettings(system.env);
  const store = makeStore(name, profile);
  return resolve({ flags, env, platform: system.platform, store, stderr: system.stderr, signal });
}

/** Settings for trying a key: address, key ID and secret from the profile; flags and variables may set the others. */
export function trialSettings(
  name: string,
  profile: Profile,
  { system, flags, signal }: Pick<Context, 'system' | 'flags' | 'signal'>,
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
    env: omitSettings(system.env, [baseUrl, keyId, secret, chosen]),
    platform: system.platform,
    store: makeStore(name, profile),
    stderr: system.stderr,
    signal,
  });
}

function makeStore(name: string, profile: Profile) {
  const file: ProfileFile = { version: 1, current: name, profiles: { [name]: profile } };
  return { read: async () => file, path: () => '' };
}

function omitSettings(
  env: SettingsEnvironment,
  without: readonly Setting<unknown>[] = Object.values(settings),
): SettingsEnvironment {
  const variables = new Set<string | undefined>([
    ...without.map((setting) => setting.env),
    secretFileVariable,
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !variables.has(name)));
}
