import { once } from 'node:events';
import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../cli/context.js';
import { OrgctlError, UsageError } from '../../errors/errors.js';
import { findProfile, parseProfileName } from '../../profiles/file/store.js';
import type { RunningServer, SaveProfile } from '../../server/index.js';
import { isSameOrigin, toEndpoint } from '../../text/base-url.js';
import type { ServeFlags } from './options.js';

/** Marks the profiles that `serve` owns: it overwrites them at each start, and no others. */
const manager = 'serve';

/** The name of the profile to save, or why not. Called before the start: a server at its address is another one. */
export async function chooseProfile(
  { profile, saveProfile }: ServeFlags,
  lasts: boolean,
  context: Context,
): Promise<{ readonly name?: string; readonly note?: string }> {
  const name = saveProfile ?? (profile !== false && lasts ? 'local' : undefined);
  if (name === undefined) return {};
  const obstacle = await whyNotOurs(parseProfileName(name), context);
  if (obstacle === undefined) return { name };
  const what = `profile ${JSON.stringify(name)} ${obstacle}`;
  if (saveProfile !== undefined) throw new UsageError(what, { hint: 'use another name for --save-profile' });
  return { note: `${what} and was not changed; to save this server: --save-profile NAME` };
}

async function whyNotOurs(name: string, context: Context): Promise<string | undefined> {
  const existing = findProfile(await context.profiles().read(), name);
  if (existing === undefined) return undefined;
  if (existing.managedBy !== manager) return `is not managed by ${manager}`;
  const { baseUrl } = existing;
  return (await isServing(baseUrl)) ? `already points to a running server (${baseUrl})` : undefined;
}

/** Milliseconds. */
const patience = 1000;

async function isServing(baseUrl: string): Promise<boolean> {
  if (!URL.canParse(baseUrl)) return false;
  const socket = connect(toEndpoint(new URL(baseUrl)));
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(patience) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** @returns whether the profile now points at the server; otherwise a note says why */
export async function saveServerProfile(
  name: string,
  { url: baseUrl, caFile, data, profileKey }: RunningServer,
  context: Context,
): Promise<boolean> {
  const store = context.profiles();
  try {
    const { keyId, secret } = await profileKey();
    const profile = {
      ...{ baseUrl, keyId, secret, managedBy: manager },
      ...(caFile !== undefined && { caFile }),
      ...(data !== undefined && { data }),
    };
    const existing = findProfile(await store.read(), name);
    if (existing === undefined) await store.add(name, profile);
    // A profile that is no longer managed by `serve` is not overwritten.
    else if (!isDeepStrictEqual(existing, profile))
      await store.update(name, (current) => (current.managedBy === manager ? profile : current));
    return true;
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    await context.note(`profile ${JSON.stringify(name)} was not changed: ${error.message}`);
    return false;
  }
}

/** Removes the profile of a server whose data was in memory, unless it points elsewhere by now. */
export async function removeServerProfile(name: string, { url }: RunningServer, context: Context) {
  const left = findProfile(await context.profiles().read(), name);
  if (left?.managedBy === manager && isSameOrigin(left.baseUrl, url)) await context.profiles().remove(name);
}

export function profileSaver(context: Context): SaveProfile {
  return async ({ name, url, keyId, secret, caFile }) => {
    const store = context.profiles();
    if (findProfile(await store.read(), parseProfileName(name)) !== undefined) return false;
    await store.add(name, { baseUrl: url, keyId, secret, ...(caFile !== undefined && { caFile }) });
    return true;
  };
}
