import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../cli/context.js';
import { readMessage, UsageError } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { findProfile, type Profile, parseProfileName } from '../../profiles/file/profile-file.js';
import type { RenewProfile, RunningServer, SaveProfile } from '../../server/index.js';

const localProfile = 'local';
const manager = 'serve';

export interface ProfileChoice {
  readonly profile: boolean;
  readonly saveProfile?: string | undefined;
  /** Whether to save `local`: the data is persistent, and there is no command. */
  readonly lasts: boolean;
}

export interface ProfileToKeep {
  readonly name?: string;
  /** Why no profile is saved; shown once the server runs. */
  readonly note?: string;
}

/**
 * Call it before the start: any server at its address is then another one. Spares handmade profiles and those of
 * running servers.
 * @throws UsageError if `--save-profile` names one of these
 */
export async function profileToKeep(
  { profile, saveProfile, lasts }: ProfileChoice,
  context: Pick<Context, 'profiles'>,
): Promise<ProfileToKeep> {
  if (saveProfile !== undefined && !profile) {
    throw new UsageError('--save-profile and --no-profile cannot be combined');
  }
  const name = saveProfile ?? (profile && lasts ? localProfile : undefined);
  if (name === undefined) return {};
  const existing = findProfile(await context.profiles().read(), parseProfileName(name));
  const obstacle = existing && (await whyNotOurs(name, existing));
  if (obstacle === undefined) return { name };
  if (saveProfile !== undefined) {
    throw new UsageError(describeObstacle(name, obstacle), { hint: 'use another name for --save-profile' });
  }
  return { note: leftAlone(name, obstacle) };
}

function describeObstacle(name: string, obstacle: string): string {
  return `profile ${JSON.stringify(name)} ${obstacle}`;
}

function leftAlone(name: string, obstacle: string): string {
  return `${describeObstacle(name, obstacle)} and was not changed; use --save-profile NAME for this one`;
}

/** Saves keys issued in the console as profiles of the server's user. */
export function profileSaver(context: Pick<Context, 'profiles'>): SaveProfile {
  return async ({ name, url, keyId, secret, caFile }) => {
    const store = context.profiles();
    if (findProfile(await store.read(), parseProfileName(name)) !== undefined) return false;
    const profile = { baseUrl: url, keyId, secret, ...(caFile !== undefined && { caFile }) };
    await store.add(name, profile);
    return true;
  };
}

/** Gives the server's profile another key if a reset or restore removed its own. Notes a failure: the data is replaced. */
export function profileRenewer(name: string, context: Pick<Context, 'profiles' | 'note'>): RenewProfile {
  return async (url, findKey) => {
    const store = context.profiles();
    const isOurs = (profile: Profile | undefined): profile is Profile =>
      profile?.managedBy === manager && profile.baseUrl === url && !isRotating(profile);
    try {
      const stored = findProfile(await store.read(), name);
      const key = isOurs(stored) ? await findKey(stored.keyId) : undefined;
      if (key === undefined || (key.keyId === stored?.keyId && key.secret === stored.secret)) return;
      const { keyId, secret } = key;
      await store.update(name, (current) =>
        isOurs(current) && current.keyId === stored?.keyId ? { ...current, keyId, secret } : current,
      );
    } catch (error) {
      await context.note(
        `profile ${JSON.stringify(name)} may have a key that was removed: ${readMessage(error)}`,
      );
    }
  };
}

async function whyNotOurs(name: string, profile: Profile): Promise<string | undefined> {
  if (profile.managedBy !== manager) return 'was created by hand';
  if (isRotating(profile)) return `has an unfinished rotation of its key (orgctl api-keys rotate -p ${name})`;
  if (await isServing(profile)) return `already points to a running server (${profile.baseUrl})`;
  return undefined;
}

function isRotating({ pending, retiring }: Profile): boolean {
  return pending !== undefined || retiring !== undefined;
}

/** Milliseconds; a slower server counts as busy, not gone. */
const profilePatience = 1000;

/** Whether a profile's server responds; over TLS, with a certificate of the profile's CA. */
async function isServing({ baseUrl, caFile }: Profile): Promise<boolean> {
  if (!URL.canParse(baseUrl)) return false;
  const { protocol, hostname, port } = new URL(baseUrl);
  const place = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  // First without TLS, which takes long to load; a user's own certificate cannot be checked.
  const isOpen = await opens(connect(place), 'connect');
  if (!isOpen || protocol === 'http:' || caFile === undefined) return isOpen;
  try {
    const ca = readRegularFile(caFile);
    return await opens(connectTls({ ...place, ca }), 'secureConnect');
  } catch {
    return false;
  }
}

function opens(socket: Socket, event: 'connect' | 'secureConnect'): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    socket.once(event, () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.setTimeout(profilePatience, () => resolve(true));
  }).finally(() => socket.destroy());
}

/** Points a profile at the server, unless a concurrent start was first. @returns advice for when the server stops */
export async function keepServerProfile(
  name: string,
  server: RunningServer,
  context: Pick<Context, 'profiles' | 'note'>,
): Promise<(() => Promise<void>) | undefined> {
  const store = context.profiles();
  const profile = {
    baseUrl: server.url,
    keyId: server.keyId,
    secret: server.secret,
    ...(server.caFile === undefined ? {} : { caFile: server.caFile }),
    managedBy: manager,
    ...(server.data === undefined ? {} : { data: server.data }),
  };
  const existing = findProfile(await store.read(), name);
  const obstacle = existing && existing.baseUrl !== server.url ? await whyNotOurs(name, existing) : undefined;
  if (obstacle !== undefined) {
    await context.note(leftAlone(name, obstacle));
    return undefined;
  }
  if (existing === undefined) await store.add(name, profile);
  else if (!isDeepStrictEqual(existing, profile)) await store.update(name, () => profile);
  if (server.data !== undefined || server.database !== undefined) return () => Promise.resolve();
  return async () => {
    const left = findProfile(await store.read(), name);
    if (left?.managedBy === manager && left.baseUrl === server.url) await store.remove(name);
  };
}
