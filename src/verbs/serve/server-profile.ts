import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../cli/context.js';
import { OrgctlError, readMessage, UsageError } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';
import {
  findProfile,
  isRotating,
  localProfile,
  type Profile,
  parseProfileName,
} from '../../profiles/file/profile-file.js';
import type { ProfileStore } from '../../profiles/file/store.js';
import { displayKeyId } from '../../profiles/settings/secret.js';
import type { RenewProfile, RunningServer, SaveProfile } from '../../server/index.js';
import { isSameAddress, isSameOrigin, toEndpoint } from '../../text/base-url.js';
import { chooseKey, type StoredKey, saveReplaced, toStoredKey, withKey } from './profile-key.js';

type ProfileContext = Pick<Context, 'profiles' | 'note' | 'system'>;

const manager = 'serve';

export interface ProfileChoice {
  readonly profile: boolean;
  readonly saveProfile?: string | undefined;
  /** Whether the data is persistent and there is no command: only then `local` is saved. */
  readonly lasts: boolean;
}

export interface ProfileToKeep {
  readonly name?: string;
  /** Why no profile is saved; shown once the server runs. */
  readonly note?: string;
}

/**
 * Chooses the profile to update: not the user's own, and not one with a running server or an unfinished rotation. Must
 * run before the server starts, because a server at the profile's address is another one until then.
 * @throws UsageError if `--save-profile` names such a profile
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

/** Gives the server's profile another key if a reset or restore removed its own. Only notes a failure. */
export function profileRenewer(name: string, context: ProfileContext): RenewProfile {
  const former: StoredKey[] = [];
  return async (url, keys) => {
    const store = context.profiles();
    try {
      const stored = findProfile(await store.read(), name);
      if (stored?.managedBy !== manager || !isSameAddress(stored.baseUrl, url) || isRotating(stored)) return;
      const choice = await chooseKey(stored, keys, former);
      if (choice.key === undefined) return;
      const note = await saveReplaced(name, stored, choice, context);
      await store.update(name, (current) =>
        isDeepStrictEqual(current, stored) ? withKey(stored, choice) : current,
      );
      former.unshift(toStoredKey(stored));
      if (note !== undefined) await context.note(note);
    } catch (error) {
      await context.note(
        `profile ${JSON.stringify(name)} may have a key that was removed: ${readMessage(error)}`,
      );
    }
  };
}

/** @param url of this server, which may be running already */
async function whyNotOurs(name: string, profile: Profile, url?: string): Promise<string | undefined> {
  if (profile.managedBy !== manager) return `is not managed by ${manager}`;
  if (isRotating(profile)) return `has an unfinished rotation of its key (orgctl api-keys rotate -p ${name})`;
  if (!(url !== undefined && isSameAddress(profile.baseUrl, url)) && (await isServing(profile)))
    return `already points to a running server (${profile.baseUrl})`;
  return undefined;
}

/** Milliseconds; a slower server counts as busy, not gone. */
const profilePatience = 1000;

/** Whether a profile's server accepts connections; over TLS, with a certificate of the profile's CA. */
async function isServing({ baseUrl, caFile }: Profile): Promise<boolean> {
  if (!URL.canParse(baseUrl)) return false;
  const url = new URL(baseUrl);
  const place = toEndpoint(url);
  // Plain TCP first, because it is cheaper. Without a CA file, no certificate can be checked.
  const isOpen = await opens(connect(place), 'connect');
  if (!isOpen || url.protocol === 'http:' || caFile === undefined) return isOpen;
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

/**
 * Points a profile at the server, unless a concurrent start was first. Keeps the user's own settings and key.
 * @returns a function to call when the server stops; `undefined` if the profile is not the server's
 */
export async function keepServerProfile(
  name: string,
  server: RunningServer,
  context: ProfileContext,
): Promise<(() => Promise<void>) | undefined> {
  if (!(await pointProfile(name, server, context))) return undefined;
  if (server.data !== undefined || server.database !== undefined) return () => Promise.resolve();
  return () => dropProfile(name, server.url, context);
}

/** Repeats itself if another process changed the profile meanwhile. @returns whether the profile is the server's */
async function pointProfile(name: string, server: RunningServer, context: ProfileContext): Promise<boolean> {
  const store = context.profiles();
  const existing = findProfile(await store.read(), name);
  const obstacle = existing && (await whyNotOurs(name, existing, server.url));
  if (obstacle !== undefined) {
    await context.note(leftAlone(name, obstacle));
    return false;
  }
  const merged = await mergeProfile(name, existing, server, context).catch(async (error: unknown) => {
    if (!(error instanceof OrgctlError)) throw error;
    await context.note(leftAlone(name, `cannot be updated (${error.message})`));
  });
  if (merged === undefined) return false;
  const { profile, note } = merged;
  const isStored =
    isDeepStrictEqual(existing, profile) || (await storeProfile(name, existing, profile, store));
  if (!isStored) return pointProfile(name, server, context);
  if (note !== undefined) await context.note(note);
  if (existing?.keyring && profile.keyring) {
    const { forgetReplaced } = await import('../../commands/profile/secret.js');
    await forgetReplaced(name, existing, await store.read(), context);
  }
  return true;
}

/** @returns `false` if the profile is not `existing` any more */
async function storeProfile(
  name: string,
  existing: Profile | undefined,
  profile: Profile,
  store: ProfileStore,
): Promise<boolean> {
  if (existing !== undefined) {
    const file = await store.update(name, (current) =>
      isDeepStrictEqual(current, existing) ? profile : current,
    );
    return findProfile(file, name) === profile;
  }
  try {
    await store.add(name, profile);
    return true;
  } catch (error) {
    if (findProfile(await store.read(), name) === undefined) throw error;
    return false;
  }
}

async function mergeProfile(
  name: string,
  existing: Profile | undefined,
  server: RunningServer,
  context: ProfileContext,
): Promise<{ readonly profile: Profile; readonly note?: string | undefined }> {
  if (existing === undefined) {
    const { keyId, secret } = await server.profileKeys.first();
    const own = { baseUrl: server.url, keyId, secret };
    return { profile: withServer({ ...own, served: { keyId } }, server) };
  }
  const choice = await chooseKey(existing, server.profileKeys);
  const note = choice.isDisabled
    ? `profile ${JSON.stringify(name)} has the key ${displayKeyId(existing.keyId)}, which is disabled on this server`
    : await saveReplaced(name, existing, choice, context);
  const profile = withServer(withKey(existing, choice), server);
  if (profile.keyring) await moveKeyringSecret(name, existing, profile, server, context);
  return { profile, note };
}

/** If the server has no CA, drops the CA of an earlier start, but not one that the user set. */
function withServer(profile: Profile, { url, caFile, data }: RunningServer): Profile {
  const { caFile: current, data: _data, served, ...rest } = profile;
  const isOwn = served !== undefined && current !== served.caFile;
  const ca = caFile ?? (isOwn ? current : undefined);
  const keyId = served?.keyId;
  return {
    ...rest,
    baseUrl: url,
    ...(ca !== undefined && { caFile: ca }),
    managedBy: manager,
    ...(data !== undefined && { data }),
    served: { ...(keyId !== undefined && { keyId }), ...(caFile !== undefined && { caFile }) },
  };
}

/** A keyring entry names the origin, so another port needs another entry. */
async function moveKeyringSecret(
  name: string,
  from: Profile,
  to: Profile,
  { profileKeys }: RunningServer,
  context: ProfileContext,
): Promise<void> {
  if (isSameOrigin(from.baseUrl, to.baseUrl)) return;
  const secret = (await profileKeys.find(to.keyId))?.secret;
  const { keepSecret } = await import('../../commands/profile/secret.js');
  await keepSecret(name, { ...to, secret }, true, context);
}

/** Removes the profile of a server in memory, unless it has settings that `serve` did not set. */
async function dropProfile(name: string, url: string, { profiles, note }: ProfileContext): Promise<void> {
  const store = profiles();
  const left = findProfile(await store.read(), name);
  if (left?.managedBy !== manager || !isSameAddress(left.baseUrl, url)) return;
  if (Object.keys(left).every((field) => servedFields.has(field))) await store.remove(name);
  else await note(`profile ${JSON.stringify(name)} has settings of your own and was not removed`);
}

/** Fields that are useless once the server has stopped, such as its key or an unfinished rotation. */
const servedFields: ReadonlySet<string> = new Set([
  'baseUrl',
  'keyId',
  'secret',
  'caFile',
  'managedBy',
  'data',
  'served',
  'pending',
  'retiring',
  'retiringSeal',
  'retiringHidden',
] satisfies readonly (keyof Profile)[]);
