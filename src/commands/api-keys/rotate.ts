import { randomBytes } from 'node:crypto';
import { apiKeys, readSigningId } from '../../api/resources/api-key.js';
import { readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { toOperands } from '../../errors/advice.js';
import { ConfigError, isGone, readMessage, ServiceError, withHint } from '../../errors/errors.js';
import type { PendingKey, Profile } from '../../profiles/file/parse-profile-file.js';
import { emptyProfileFile, findProfile, requireProfile } from '../../profiles/file/store.js';
import { settingsOfProfile } from '../../profiles/resolve.js';
import { isKeyId } from '../../redaction/harmless.js';
import type { View } from '../../terminal/output/printer.js';
import { confirmOnTerminal, refuseReadOnly } from '../resource/confirm.js';
import { allPages } from '../resource/pages.js';
import { printAnswer, rescueSecret } from '../resource/print.js';
import { requireName } from '../resource/update.js';
import { requestKey, unusableId } from './create.js';
import { findProfilesOf } from './own-key.js';

interface RotateOptions {
  readonly name?: string | undefined;
  readonly keepOld?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

interface Run {
  readonly name: string;
  readonly options: RotateOptions;
  readonly context: Context;
}

interface RotatedKey {
  readonly profile: string;
  readonly keyId: string;
  readonly replaced: string;
  readonly oldKeyDeleted: boolean;
}

const rotatedKeyView: View<RotatedKey> = {
  columns: [
    { header: 'PROFILE', value: 'profile' },
    { header: 'KEY ID', value: 'keyId' },
    { header: 'REPLACED', value: 'replaced', id: true },
    { header: 'OLD KEY', value: ({ oldKeyDeleted }) => (oldKeyDeleted ? 'deleted' : 'still valid') },
  ],
  fields: ['oldKeyDeleted'],
};

/** @throws ConfigError unless the credential is stored in a profile, because the new one is stored there, too */
export async function rotateProfileKey(options: RotateOptions, context: Context): Promise<void> {
  if (options.name !== undefined) requireName(options.name);
  (await context.printer()).check(rotatedKeyView);
  const stored = await context.settings().stored();
  if (stored === undefined)
    throw new ConfigError('rotating needs a profile that stores base URL, key ID and secret itself', {
      hint: 'if the secret comes from a command or the keyring, create a key and store its secret there; to see the source of each setting',
      next: ['orgctl', 'whoami'],
    });
  const rotated = await rotateKey(stored.profile, { name: stored.name, options, context });
  await printAnswer(rotated, rotatedKeyView, context);
}

/** The profile stores each step, so that a later run continues: `pending`, the new key, then `retiring`, the old one. */
async function rotateKey(profile: Profile, run: Run): Promise<RotatedKey> {
  const { keyId, retiring, pending } = profile;
  if (retiring !== undefined && retiring !== keyId) return retireKey(profile, run);
  // The new key's secret must not go to another service.
  if (pending !== undefined && pending.baseUrl !== profile.baseUrl)
    throw new ConfigError(`the pending key ${pending.keyId} was issued by ${pending.baseUrl}`, {
      hint: "restore the profile's address, and finish the rotation there",
    });
  if (pending !== undefined && (await isProved(profile, pending, run)))
    return retireKey(await swapKey(profile, pending, run), run);
  const created = await createPending(profile, run);
  await prove(profile, created, run).catch(async (error: unknown) => {
    await run.context.note(
      `the new key ${created.keyId} is stored as pending, and the old one is still in use; run the command again to continue`,
    );
    throw error;
  });
  return retireKey(await swapKey({ ...profile, pending: created }, created, run), run);
}

/** Tests the new key of an earlier run. If it is refused, its secret goes to a recovery file; nothing is deleted. */
async function isProved(profile: Profile, pending: PendingKey, run: Run): Promise<boolean> {
  const { keyId, secret, createdAt } = pending;
  const { name, context } = run;
  await context.note(`continuing with ${keyId}, created ${createdAt}`);
  try {
    await prove(profile, pending, run);
    return true;
  } catch (error) {
    const isRefused = error instanceof ServiceError && ['unauthenticated', 'forbidden'].includes(error.code);
    if (!isRefused) throw error;
    const why = `the pending key ${keyId} of profile ${JSON.stringify(name)} is refused (${error.message})`;
    await rescueSecret({ id: keyId, secret }, why, context);
    return false;
  }
}

/** Creates a key, and stores it in the profile before anything else. */
async function createPending(profile: Profile, run: Run): Promise<PendingKey> {
  const { baseUrl } = profile;
  const { name, options, context } = run;
  await confirmRotation(profile, run);
  await refuseReadOnly(context);
  const api = await context.api();
  await context.profiles().assertWritable();
  const wanted = options.name ?? `orgctl ${name} ${randomBytes(4).toString('hex')}`;
  const { id, secret } = await requestKey({ name: wanted }, api, true, context);
  if (!isKeyId(id) || id === profile.keyId) {
    await rescueSecret({ id, secret }, 'the new key cannot be used', context);
    throw unusableId(id);
  }
  const pending = { keyId: id, secret, createdAt: new Date().toISOString(), baseUrl };
  await storeStep(profile, pending, (current) => ({ ...current, pending }), run);
  return pending;
}

async function confirmRotation({ baseUrl, keyId }: Profile, { name, options, context }: Run): Promise<void> {
  const { yes, keepOld } = options;
  const sharing = await findProfilesOf(baseUrl, [keyId], context);
  const others = sharing.filter((other) => other !== name).join(', ');
  if (others !== '' && !keepOld)
    await context.note(
      `profiles with the same key will stop working: ${others}; --keep-old keeps the key valid`,
    );
  if (yes) return;
  const outcome = keepOld ? 'The old key stays valid.' : 'The old key will be deleted.';
  await confirmOnTerminal(`Replace ${keyId} with a new key`, outcome, 'nothing was rotated', context);
}

async function prove(profile: Profile, { keyId, secret }: PendingKey, run: Run): Promise<void> {
  await (await openApi({ ...profile, keyId, secret }, run)).checkCredential();
}

async function openApi(profile: Profile, { name, context }: Run) {
  const settings = settingsOfProfile(name, profile, context, context.flags());
  return context.apiFor(await settings.service());
}

function swapKey(profile: Profile, pending: PendingKey, run: Run): Promise<Profile> {
  const { keyId, secret } = pending;
  const retiring = profile.keyId;
  const swap = ({ pending: _, ...current }: Profile) => ({ ...current, keyId, secret, retiring });
  return storeStep(profile, pending, swap, run);
}

/** Stores a step. If that fails, or the profile has changed, keeps the new secret in a recovery file. @throws ConfigError */
async function storeStep(
  seen: Profile,
  { keyId, secret }: PendingKey,
  change: (current: Profile) => Profile,
  { name, context }: Run,
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
      next: ['orgctl', 'api-keys', 'delete', ...toOperands(keyId)],
      cause: error,
    });
  }
}

function requireUnchanged(name: string, seen: Profile, current: Profile): Profile {
  const isSameKey = current.keyId === seen.keyId && current.secret === seen.secret;
  const isSamePending = current.pending?.keyId === seen.pending?.keyId;
  if (isSameKey && isSamePending && current.baseUrl === seen.baseUrl) return current;
  throw new ConfigError(`another process has changed profile ${JSON.stringify(name)}`);
}

/** @throws if the old key may still be valid */
async function retireKey({ retiring = '', ...profile }: Profile, run: Run): Promise<RotatedKey> {
  const { name, options, context } = run;
  const { keyId } = profile;
  const { keepOld = false } = options;
  if (!keepOld) {
    await deleteOld(profile, retiring, run).catch((error: unknown) => {
      // The key of this profile has just failed to delete the old one.
      throw withHint(error, {
        hint: `profile ${JSON.stringify(name)} has the new key ${keyId}, but the old key may still be valid. Run the command again; if that fails, end the rotation with --keep-old, and delete the old key with another profile`,
        next: ['orgctl', 'api-keys', 'delete', '-p', 'NAME', ...toOperands(retiring)],
      });
    });
  }
  await context
    .profiles()
    .update(name, ({ retiring: now, ...rest }) => (now === retiring ? rest : { ...rest, retiring: now }));
  return { profile: name, keyId, replaced: retiring, oldKeyDeleted: !keepOld };
}

/** After a 404, the old key counts as deleted only if a complete list lacks it: paths may use another ID. */
async function deleteOld(profile: Profile, keyId: string, run: Run): Promise<void> {
  const calls = (await openApi(profile, run)).apiKeys;
  try {
    return await calls.delete(keyId);
  } catch (error) {
    if (!isGone(error)) throw error;
    for await (const key of allPages(calls.list, apiKeys, run.context)) {
      const shown = readSigningId(key) ?? '';
      const id = readId(key) ?? keyId;
      if (shown === keyId && id !== keyId) return calls.delete(id);
      // A key without a signing ID may be the old one.
      if (shown === keyId || !isKeyId(shown)) throw error;
    }
    const what = `the service neither finds nor lists the old key ${keyId}, so it counts as deleted`;
    await (await run.context.printer()).warn(what);
  }
}
