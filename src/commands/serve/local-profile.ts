import type { Context } from '../../context.js';
import { profileNamed } from '../../profiles/profile-file.js';
import type { RunningServer } from '../../server/index.js';

/** The profile by which commands on this machine find the server. */
export const localProfile = 'local';
const manager = 'serve';

/**
 * Keeps the profile `local` up to date. One that was made by hand is left alone, and the profile becomes the current
 * one only when there is none.
 *
 * @returns whether `local` now leads to this server
 */
export async function keepLocalProfile(
  server: RunningServer,
  context: Pick<Context, 'profiles'>,
): Promise<boolean> {
  const store = context.profiles();
  const existing = profileNamed(await store.read(), localProfile);
  const profile = {
    baseUrl: server.url,
    keyId: server.keyId,
    secret: server.secret,
    ...(server.caFile === undefined ? {} : { caFile: server.caFile }),
    managedBy: manager,
  };
  if (existing === undefined) await store.add(localProfile, profile);
  else if (existing.managedBy !== manager) return false;
  else await store.update(localProfile, () => profile);
  return true;
}
