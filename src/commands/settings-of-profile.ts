import type { Context } from '../context.js';
import type { Profile, ProfileFile } from '../profiles/profile-file.js';
import { type ResolvedSettings, resolve } from '../profiles/resolve.js';

/**
 * The settings that a profile gives by itself, whether it is stored or not: no flag and no variable may help a key
 * that is being tried.
 */
export function settingsOfProfile(
  name: string,
  profile: Profile,
  { system }: Pick<Context, 'system'>,
): ResolvedSettings {
  const file: ProfileFile = { version: 1, current: name, profiles: { [name]: profile } };
  const store = { read: async () => file, path: () => '' };
  return resolve({ flags: {}, env: {}, platform: system.platform, store, stderr: system.stderr });
}
