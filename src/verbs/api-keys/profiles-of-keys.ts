import type { Context } from '../../cli/context.js';
import type { Profile } from '../../profiles/file/profile-file.js';
import { isSameOrigin } from '../../text/base-url.js';

/** Names of the stored profiles that have one of these keys of a service. */
export async function findProfilesOf(
  { baseUrl, keyIds }: Pick<Profile, 'baseUrl'> & { readonly keyIds: readonly string[] },
  { profiles }: Pick<Context, 'profiles'>,
): Promise<readonly string[]> {
  return Object.entries((await profiles().read()).profiles)
    .filter(([, profile]) => keyIds.includes(profile.keyId) && isSameOrigin(profile.baseUrl, baseUrl))
    .map(([name]) => name);
}

/** Notes which stored profiles a change of these keys disables. Without a profile in use, does not read the file. */
export async function noteProfilesOf(
  keyIds: readonly string[],
  context: Pick<Context, 'profiles' | 'settings' | 'note'>,
): Promise<void> {
  const settings = context.settings();
  if ((await settings.profile()) === undefined) return;
  const { origin } = (await settings.service()).baseUrl;
  const names = await findProfilesOf({ baseUrl: origin, keyIds }, context);
  if (names.length > 0) await context.note(`profiles that will stop working: ${names.join(', ')}`);
}
