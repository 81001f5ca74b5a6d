import type { Context } from '../context.js';
import type { Profile, ProfileFile } from '../profiles/profile-file.js';
import { type ResolvedSettings, resolve } from '../profiles/resolve.js';
import { type Environment, type Flags, type Setting, settings } from '../profiles/settings.js';

/**
 * The settings that a profile gives by itself, whether it is stored or not: no variable, and no flag but those given
 * here, may help a key that is being tried. Its secret command sees the environment without those variables.
 */
export function settingsOfProfile(
  name: string,
  profile: Profile,
  { system }: Pick<Context, 'system'>,
  flags: Flags = {},
): ResolvedSettings {
  const file: ProfileFile = { version: 1, current: name, profiles: { [name]: profile } };
  const store = { read: async () => file, path: () => '' };
  const env = withoutSettings(system.env);
  return resolve({ flags, env, platform: system.platform, store, stderr: system.stderr });
}

function withoutSettings(env: Environment): Environment {
  const variables = new Set<string | undefined>(
    Object.values(settings).map((setting: Setting<unknown>) => setting.env),
  );
  return Object.fromEntries(Object.entries(env).filter(([name]) => !variables.has(name)));
}
