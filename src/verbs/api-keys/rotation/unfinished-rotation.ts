import { isResource } from '../../../api/resources/resource.js';
import type { Context } from '../../../cli/context.js';
import { ConfigError, describeFileError } from '../../../errors/errors.js';
import type { PendingKey, Profile } from '../../../profiles/file/profile-file.js';
import {
  type RecordSigner,
  readShown,
  type Seal,
  seal,
  whyNotSealed,
} from '../../../profiles/record-seal.js';

export interface UnfinishedRotation {
  readonly profile: Profile;
  readonly pending?: PendingKey | undefined;
  /** ID of the replaced key, which is not deleted yet. */
  readonly retiring?: string | undefined;
}

type UnfinishedContext = Pick<Context, 'profiles' | 'printer'>;

/** Different places in the seals, so that one record cannot pass for the other. */
const places = { pending: 'profiles: pending', retiring: 'profiles: retiring' } as const;

/** Sealed with the old key, because the profile has that key until the swap. */
export function sealedPending(key: PendingKey, signer: RecordSigner): PendingKey {
  return { ...key, seal: sealFor('pending', key, signer) };
}

/** Sealed with the new key, because the swap stores that key and this record together. */
export function sealedRetiring(
  keyId: string,
  signer: RecordSigner,
): Pick<Profile, 'retiring' | 'retiringSeal'> {
  return { retiring: keyId, retiringSeal: sealFor('retiring', keyId, signer) };
}

/** Returns the profile unchanged if another key is retiring now. */
export function withoutRetiring(profile: Profile, keyId: string): Profile {
  if (profile.retiring !== keyId) return profile;
  const { retiring: _gone, retiringSeal: _seal, retiringHidden: _hidden, ...rest } = profile;
  return rest;
}

/**
 * Resumes from records that are sealed with the profile's key for this address. Ignores all others, but saves the secret
 * of a pending key.
 * @throws ConfigError if a secret cannot be saved
 */
export async function unfinishedRotation(
  name: string,
  profile: Profile,
  signer: RecordSigner,
  context: UnfinishedContext,
): Promise<UnfinishedRotation> {
  const { pending, retiring } = profile;
  if (retiring !== undefined && (await isToRetire(name, profile, retiring, signer, context)))
    return { profile, retiring };
  if (pending === undefined) return { profile };
  const { seal: mark, ...key } = pending;
  const problem = whyIgnored('pending', key, mark, signer);
  if (problem === undefined) return { profile, pending };
  await setAside(name, pending, problem, context);
  const { pending: _aside, ...rest } = profile;
  return { profile: rest };
}

/** Saves an unused key's secret in a file (0600) beside the profiles. @returns its path @throws ConfigError */
export async function keepPendingSecret(
  { keyId, secret }: PendingKey,
  { profiles }: Pick<Context, 'profiles'>,
): Promise<string> {
  const { writeRecoveryFile } = await import('../../../profiles/file/write-profile-file.js');
  const content = `${JSON.stringify({ id: keyId, secret }, null, 2)}\n`;
  return writeRecoveryFile(profiles().path(), { name: keyId }, content).catch((error: unknown) => {
    throw new ConfigError(
      `the secret of ${keyId} cannot be written beside the profiles: ${describeFileError(error)}`,
      {
        hint: 'fix the cause and run the same command again; nothing was changed',
        cause: error,
      },
    );
  });
}

async function isToRetire(
  name: string,
  profile: Profile,
  retiring: string,
  signer: RecordSigner,
  context: UnfinishedContext,
): Promise<boolean> {
  const { retiringSeal } = profile;
  const isInUse = retiring === profile.keyId;
  const problem = isInUse ? 'is the key in use' : whyIgnored('retiring', retiring, retiringSeal, signer);
  if (problem === undefined) return true;
  await (await context.printer()).warn(
    `profile ${JSON.stringify(name)} records that a rotation has replaced ${readShown(retiring)}, but the record ${problem}; orgctl ignores it and deletes nothing. ${howToLook}`,
    listCommand,
  );
  return false;
}

async function setAside(
  name: string,
  pending: PendingKey,
  problem: string,
  context: UnfinishedContext,
): Promise<void> {
  const secret =
    pending.secret === ''
      ? 'Its secret is empty'
      : `Its secret is in ${await keepPendingSecret(pending, context)}`;
  // Warns first: a kill in between must not leave the secret in an unknown place.
  await (await context.printer()).warn(
    `the pending key ${readShown(pending.keyId)} of profile ${JSON.stringify(name)} ${problem}; orgctl ignores it, and sends and deletes nothing. ${secret}. ${howToLook}`,
    listCommand,
  );
  await context.profiles().update(name, (stored) => {
    if (stored.pending?.keyId !== pending.keyId || stored.pending.secret !== pending.secret) return stored;
    const { pending: _aside, ...rest } = stored;
    return rest;
  });
}

const howToLook = 'Check whether that key exists and is in use';
const listCommand = ['orgctl', 'api-keys', 'list', '--all'];

function sealFor(what: keyof typeof places, key: unknown, signer: RecordSigner): Seal {
  const { key: _, ...mark } = seal({ key }, places[what], signer);
  return mark;
}

function whyIgnored(
  what: keyof typeof places,
  key: unknown,
  mark: unknown,
  signer: RecordSigner,
): string | undefined {
  const record = mark === undefined || isResource(mark) ? { ...mark, key } : mark;
  return whyNotSealed(record, places[what], signer);
}
