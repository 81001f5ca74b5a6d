import type { Context } from '../../context.js';
import { ConfigError, ServiceError } from '../../errors.js';
import type { PendingKey, Profile } from '../../profiles/profile-file.js';
import { settingsOfProfile } from '../settings-of-profile.js';
import type { RotatedKey } from './view.js';

export interface RotateOptions {
  readonly name?: string | undefined;
  readonly keepOld?: boolean | undefined;
  readonly restart?: boolean | undefined;
}

type RotationContext = Pick<Context, 'api' | 'profiles' | 'settings' | 'system' | 'note'>;

/**
 * Replaces the key of the active profile. Each step is stored in the profile before the next begins, so that the same
 * command goes on after an interruption: `pending` is a new key not yet proved, `retiring` an old one not yet deleted.
 */
export async function rotateKey(options: RotateOptions, context: RotationContext): Promise<RotatedKey> {
  const { name, profile } = await storedProfile(context);
  if (profile.retiring !== undefined) return retire(name, profile, profile.retiring, options, context);
  const pending = options.restart ? undefined : profile.pending;
  if (pending !== undefined)
    await context.note(`going on with ${pending.keyId}, created ${pending.createdAt}`);
  const fresh = pending ?? (await createPending(name, profile, options, context));
  await prove(name, profile, fresh, context);
  const swapped = await swap(name, profile.keyId, fresh, context);
  return retire(name, swapped, profile.keyId, options, context);
}

/** @throws ConfigError when the credential in use is not stored in a profile: there would be no place for the new one */
async function storedProfile({ settings }: RotationContext): Promise<{ name: string; profile: Profile }> {
  const resolved = settings();
  const active = await resolved.profile();
  const origin = await resolved.secretOrigin();
  const sources = [(await resolved.keyId())?.source, (await resolved.baseUrl())?.source];
  const own = sources.every((source) => source?.kind === 'profile');
  if (active === undefined || !own || origin?.kind !== 'value' || origin.secret.source.kind !== 'profile') {
    throw new ConfigError('rotating needs a profile that holds base URL, key ID and secret itself', {
      hint: 'orgctl whoami shows where each comes from; a secret that a command prints is rotated where it is kept',
    });
  }
  return { name: active.name, profile: active.profile };
}

async function createPending(
  name: string,
  profile: Profile,
  options: RotateOptions,
  context: RotationContext,
): Promise<PendingKey> {
  const { apiKeys } = await context.api();
  const { id, secret } = await apiKeys.create({ name: options.name ?? `orgctl ${name}` });
  if (secret === undefined) {
    throw new ServiceError('server', `the key ${id} was created, but the answer has no field "secret"`, {
      hint: `it is of no use: orgctl api-keys delete ${id}`,
    });
  }
  const pending = { keyId: id, secret, createdAt: new Date().toISOString() };
  const expected = options.restart ? profile.pending?.keyId : undefined;
  // Stored before anything else happens; only then is the secret safe.
  await context.profiles().update(name, (current) => {
    if (current.keyId === profile.keyId && current.pending?.keyId === expected)
      return { ...current, pending };
    throw new ConfigError(`profile ${name} was changed by another process meanwhile`, {
      hint: `the new key is not used; delete it: orgctl api-keys delete ${id}`,
    });
  });
  return pending;
}

/** A signed read with the new key. Until it succeeds the profile keeps the old one. */
async function prove(
  name: string,
  profile: Profile,
  { keyId, secret }: PendingKey,
  context: RotationContext,
): Promise<void> {
  const { quotas } = await context.api(settingsOfProfile(name, { ...profile, keyId, secret }, context));
  await quotas.read().catch(async (error: unknown) => {
    await context.note(
      `the new key ${keyId} is kept as pending and the old one still in use; run the command again to go on, or with --restart for another key`,
    );
    throw error;
  });
}

async function swap(
  name: string,
  oldKeyId: string,
  { keyId, secret }: PendingKey,
  context: RotationContext,
): Promise<Profile> {
  let swapped: Profile | undefined;
  await context.profiles().update(name, ({ pending: _proved, ...current }) => {
    swapped = { ...current, keyId, secret, retiring: oldKeyId };
    return swapped;
  });
  if (swapped === undefined) throw new Error('the profile was not changed');
  return swapped;
}

/** Deletes the old key with the new one, unless it is to be kept; that it is gone already is as good. */
async function retire(
  name: string,
  profile: Profile,
  oldKeyId: string,
  { keepOld }: RotateOptions,
  context: RotationContext,
): Promise<RotatedKey> {
  if (!keepOld) {
    const { apiKeys } = await context.api(settingsOfProfile(name, profile, context));
    await apiKeys.delete(oldKeyId).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    });
  }
  await context.profiles().update(name, ({ retiring: _gone, ...current }) => current);
  return { profile: name, keyId: profile.keyId, replaced: oldKeyId, oldKeyDeleted: !keepOld };
}
