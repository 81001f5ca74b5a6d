import { randomBytes } from 'node:crypto';
import type { Context } from '../../cli/context.js';
import { toOperands } from '../../errors/advice.js';
import { ConfigError, isGone, readMessage, ServiceError, withHint } from '../../errors/errors.js';
import type { PendingKey, Profile } from '../../profiles/file/parse-profile-file.js';
import { emptyProfileFile, findProfile, requireProfile } from '../../profiles/file/profile-file.js';
import { settingsOfProfile } from '../../profiles/resolve.js';
import type { StoredProfile } from '../../profiles/settings/credential.js';
import { isKeyId } from '../../redaction/harmless.js';
import { confirmOnTerminal } from '../resource/confirm.js';
import { refuseReadOnly, rescueSecret } from '../resource/print.js';
import { createToStore } from './create.js';
import { findProfilesOf } from './own-key.js';
import { unusableId } from './secret-sink.js';

export interface RotateOptions {
  readonly name?: string | undefined;
  readonly keepOld?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

export interface RotatedKey {
  readonly profile: string;
  readonly keyId: string;
  readonly replaced: string;
  readonly oldKeyDeleted: boolean;
}

/**
 * Replaces a profile's key. The profile has each step before the next begins, so that a later run continues from there:
 * `pending` (a new key that is not proved), then the new key with `retiring` (the old one, which is not deleted).
 */
export async function rotateKey(
  { name, profile }: StoredProfile,
  options: RotateOptions,
  context: Context,
): Promise<RotatedKey> {
  const { keyId, retiring, pending } = profile;
  if (retiring !== undefined && retiring !== keyId) {
    await noteUnusedName(options, keyId, context);
    return retireKey(name, profile, options, context);
  }
  const isOwn = pending !== undefined && pending.baseUrl === profile.baseUrl;
  if (isOwn && (await isProved(name, profile, pending, options, context)))
    return retireKey(name, await swapKey(name, profile, pending, context), options, context);
  // One of another service is neither used nor deleted here; the one that was refused is kept already.
  const { pending: _, ...withoutPending } = profile;
  const created = await createPending(name, isOwn ? withoutPending : profile, options, context);
  await prove(name, profile, created, context).catch(async (error: unknown) => {
    await context.note(
      `the new key ${created.keyId} is stored as pending, and the old one is still in use; run the command again to continue`,
    );
    throw error;
  });
  const swapped = await swapKey(name, { ...profile, pending: created }, created, context);
  return retireKey(name, swapped, options, context);
}

async function noteUnusedName({ name }: RotateOptions, keyId: string, { note }: Context): Promise<void> {
  if (name !== undefined) await note(`--name ${JSON.stringify(name)} is not used: ${keyId} exists already`);
}

/** Tests the new key of an earlier run. One that the service refuses is taken out of the profile; nothing is deleted. */
async function isProved(
  name: string,
  profile: Profile,
  pending: PendingKey,
  options: RotateOptions,
  context: Context,
): Promise<boolean> {
  const { keyId, createdAt } = pending;
  await context.note(`continuing with ${keyId}, created ${createdAt}`);
  try {
    await prove(name, profile, pending, context);
  } catch (error) {
    const isRefused = error instanceof ServiceError && ['unauthenticated', 'forbidden'].includes(error.code);
    if (!isRefused) throw error;
    await context.profiles().assertWritable();
    await keepPending(name, pending, `is refused (${error.message})`, context);
    await context.profiles().update(name, (current) => {
      const { pending: _, ...others } = requireUnchanged(name, profile, current);
      return others;
    });
    await context.note(`if ${keyId} still exists and nothing uses it, delete it`, deletion(keyId));
    return false;
  }
  await noteUnusedName(options, keyId, context);
  return true;
}

/** Keeps the secret of a pending key that is not put into use. */
function keepPending(
  name: string,
  { keyId: id, secret }: PendingKey,
  why: string,
  context: Context,
): Promise<void> {
  const what = `the pending key ${id} of profile ${JSON.stringify(name)} ${why}`;
  return rescueSecret({ id, secret }, what, context);
}

/** Creates a key, and stores it in the profile before anything else. */
async function createPending(
  name: string,
  profile: Profile,
  options: RotateOptions,
  context: Context,
): Promise<PendingKey> {
  const { baseUrl, pending: other } = profile;
  await confirmRotation(name, profile, options, context);
  await refuseReadOnly(context);
  const api = await context.api();
  await context.profiles().assertWritable();
  const wanted = options.name ?? `orgctl ${name} ${randomBytes(4).toString('hex')}`;
  const { id, secret } = await createToStore({ name: wanted }, api, context);
  if (!isKeyId(id) || id === profile.keyId) {
    await rescueSecret({ id, secret }, 'the new key cannot be used', context);
    throw unusableId(id);
  }
  if (other !== undefined)
    await keepPending(name, other, `was issued by ${other.baseUrl ?? 'an unknown service'}`, context);
  const pending = { keyId: id, secret, createdAt: new Date().toISOString(), baseUrl };
  await storeStep(name, profile, pending, (current) => ({ ...current, pending }), context);
  return pending;
}

/** Names other profiles that will stop working; then asks on a terminal, unless `yes` is set. @throws DeclinedError */
async function confirmRotation(
  name: string,
  { baseUrl, keyId }: Profile,
  { yes, keepOld }: RotateOptions,
  context: Context,
): Promise<void> {
  const sharing = await findProfilesOf({ baseUrl, keyIds: [keyId] }, context);
  const others = sharing.filter((other) => other !== name);
  if (others.length > 0 && !keepOld)
    await context.note(
      `profiles with the same key will stop working: ${others.join(', ')}; --keep-old keeps the key valid`,
    );
  if (yes) return;
  const change = `Replace ${keyId} with a new key`;
  const outcome = keepOld ? 'The old key stays valid.' : 'The old key will be deleted.';
  await confirmOnTerminal({ change, outcome }, 'nothing was rotated', context);
}

/** Tests the pending key with a GET, while the profile still has the old one. */
async function prove(
  name: string,
  profile: Profile,
  { keyId, secret }: PendingKey,
  context: Context,
): Promise<void> {
  const api = await context.apiFor(
    settingsOfProfile(name, { ...profile, keyId, secret }, context, context.flags()),
  );
  await api.checkCredential();
}

function swapKey(name: string, profile: Profile, pending: PendingKey, context: Context): Promise<Profile> {
  const { keyId, secret } = pending;
  const swap = ({ pending: _, ...current }: Profile) => ({
    ...current,
    keyId,
    secret,
    retiring: profile.keyId,
  });
  return storeStep(name, profile, pending, swap, context);
}

/**
 * Stores a step, unless the profile is no longer as this run saw it. If the profile does not have the new secret then,
 * keeps that in a recovery file. @throws ConfigError
 */
async function storeStep(
  name: string,
  seen: Profile,
  { keyId, secret }: PendingKey,
  change: (current: Profile) => Profile,
  context: Context,
): Promise<Profile> {
  const store = context.profiles();
  try {
    const file = await store.update(name, (current) => change(requireUnchanged(name, seen, current)));
    return requireProfile(file, name);
  } catch (error) {
    const now = findProfile(await store.read().catch(() => emptyProfileFile), name);
    if (secret === now?.secret || secret === now?.pending?.secret) throw error;
    const why = `profile ${JSON.stringify(name)} could not store the secret`;
    await rescueSecret({ id: keyId, secret }, why, context);
    throw new ConfigError(`${readMessage(error)}; the new key ${keyId} was created, but is not in use`, {
      hint: 'the warning above says where its secret is; to delete the key',
      next: deletion(keyId),
      cause: error,
    });
  }
}

/** @throws ConfigError if the profile's address, key, secret or pending key has changed */
function requireUnchanged(name: string, seen: Profile, current: Profile): Profile {
  const isSameKey = current.keyId === seen.keyId && current.secret === seen.secret;
  const isSamePending = current.pending?.keyId === seen.pending?.keyId;
  if (isSameKey && isSamePending && current.baseUrl === seen.baseUrl) return current;
  throw new ConfigError(`another process has changed profile ${JSON.stringify(name)}`);
}

/** Ends a rotation: deletes the old key, unless it is kept. @throws if the old key may still be valid */
async function retireKey(
  name: string,
  { retiring = '', ...profile }: Profile,
  { keepOld = false }: RotateOptions,
  context: Context,
): Promise<RotatedKey> {
  const { keyId } = profile;
  if (!keepOld) {
    await deleteOld(name, profile, retiring, context).catch((error: unknown) => {
      // The key of this profile has just failed to delete it.
      throw withHint(error, {
        hint: `profile ${JSON.stringify(name)} has the new key ${keyId}, but the old one, ${retiring}, may still be valid. Run the same command again to delete it. If that fails again, end the rotation with --keep-old, then delete the old key with another profile`,
        next: ['orgctl', 'api-keys', 'delete', '-p', 'NAME', ...toOperands(retiring)],
      });
    });
  }
  await context
    .profiles()
    .update(name, ({ retiring: now, ...rest }) => (now === retiring ? rest : { ...rest, retiring: now }));
  return { profile: name, keyId, replaced: retiring, oldKeyDeleted: !keepOld };
}

/** Deletes a replaced key. One that is not found counts as deleted only if the list proves that it no longer exists. */
async function deleteOld(name: string, profile: Profile, keyId: string, context: Context): Promise<void> {
  const { apiKeys, transport } = await context.apiFor(
    settingsOfProfile(name, profile, context, context.flags()),
  );
  try {
    return await apiKeys.delete(keyId);
  } catch (error) {
    if (!isGone(error)) throw error;
    const old = await apiKeys.lookInList(keyId);
    // A list by other IDs than those that keys sign with proves nothing.
    const isProof = old.isWhole && (await apiKeys.lookInList(transport.keyId)).item !== undefined;
    context.signal.throwIfAborted();
    const why = old.item
      ? 'but lists it'
      : isProof
        ? undefined
        : 'and its list does not show whether it exists';
    if (why !== undefined) {
      const what = `the service did not find the old key ${keyId} to delete it, ${why}`;
      throw new ServiceError('server', what, { cause: error });
    }
  }
  await (await context.printer()).warn(
    `the service neither finds nor lists ${keyId}, so it counts as deleted; if it was created in the management console, look for it there, and delete it if it still exists`,
  );
}

function deletion(keyId: string): readonly string[] {
  return ['orgctl', 'api-keys', 'delete', ...toOperands(keyId)];
}
