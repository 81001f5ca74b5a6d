import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Context } from '../../cli/context.js';
import { type Advice, toOperands } from '../../errors/advice.js';
import { ConfigError, readMessage, UsageError } from '../../errors/errors.js';
import { pendingCreation } from '../../profiles/file/pending-creation.js';
import {
  emptyProfileFile,
  findProfile,
  type PendingCreation,
  type Profile,
  type ProfileFile,
} from '../../profiles/file/profile-file.js';
import type { ProfileStore } from '../../profiles/file/store.js';
import {
  type RecordMaker,
  type RecordSigner,
  readOtherMaker,
  seal,
  whyNotSealed,
} from '../../profiles/record-seal.js';
import { isKeyId } from '../../redaction/harmless.js';
import { isSameOrigin } from '../../text/base-url.js';
import { adviseFinding, type CreationRecord, mayExistHint } from './interrupted-creation.js';
import { describeRun, isLive } from './live-run.js';

/** Names only the directory: a record stays valid if its profile is renamed, but not in a copy elsewhere. */
function describeStore(store: ProfileStore): string {
  return `profiles in ${resolveStorePath(dirname(store.path()))}`;
}

function resolveStorePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolveStorePath(parent), basename(path));
  }
}

interface FoundCreation extends Pick<CreationRecord, 'left' | 'ignored' | 'ignoredKey' | 'kept'> {
  readonly livePid?: number | undefined;
  readonly maker?: RecordMaker | undefined;
}

interface Looking {
  readonly store: ProfileStore;
  readonly signer: RecordSigner;
  readonly pid: number;
}

/** An interrupted run's recorded creation for a profile, or why it is ignored. */
export function recordedCreation(
  file: ProfileFile,
  name: string,
  { store, signer, pid }: Looking,
): FoundCreation {
  const left = pendingCreation(file, name);
  if (left === undefined) return { left };
  const what = `the recorded creation of a key for profile ${JSON.stringify(name)}`;
  if (isLive(left, left, pid)) {
    const ignored = `${what} belongs to process ${left.pid}, which seems to be running`;
    return { left: undefined, ignored, livePid: left.pid };
  }
  const problem = whyNotSealed(left, describeStore(store), signer);
  const kept = keysInUse(file, signer);
  if (problem === undefined) return { left, kept };
  const maker = readOtherMaker(left, signer);
  return { left: undefined, ignored: `${what} ${problem}`, ignoredKey: unusedKey(left, kept), maker };
}

/** The profile whose key can continue an ignored creation; `undefined` if there is none, as after a rotation. */
export function profileOfMaker({ profiles }: ProfileFile, maker: RecordMaker): string | undefined {
  const names = Object.entries(profiles).flatMap(([name, { baseUrl, keyId }]) =>
    keyId === maker.keyId && isSameOrigin(baseUrl, maker.baseUrl) ? [name] : [],
  );
  return names[0];
}

/** @throws UsageError if another profile can continue the creation: the place is for its secret */
export function refuseTaken(what: string, file: ProfileFile, maker: RecordMaker | undefined): void {
  const owner = maker && profileOfMaker(file, maker);
  if (owner === undefined) return;
  throw new UsageError(
    `${what} is of an unfinished creation with profile ${JSON.stringify(owner)}; run that command again first`,
  );
}

/** The record is not trusted, so only a well-formed ID is shown. */
function unusedKey({ createdId }: PendingCreation, inUse: ReadonlySet<string>): string | undefined {
  return createdId !== undefined && isKeyId(createdId) && !inUse.has(createdId) ? createdId : undefined;
}

/** IDs of the signing key and of all keys in profiles; with `isHere`, only in profiles of the signer's origin. */
export function keysInUse(
  { profiles }: ProfileFile,
  { keyId, baseUrl }: RecordSigner,
  isHere = false,
): ReadonlySet<string> {
  const ofProfiles = Object.values(profiles)
    .filter((one) => !isHere || isSameOrigin(one.baseUrl, baseUrl))
    .flatMap((one) => [one.keyId, one.pending?.keyId, one.retiring]);
  return new Set([keyId, ...ofProfiles].filter((id) => id !== undefined));
}

export class ProfileRecord implements CreationRecord {
  left: PendingCreation | undefined;
  readonly ignored: string | undefined;
  readonly ignoredKey: string | undefined;
  readonly kept: ReadonlySet<string>;
  readonly existing: ReadonlySet<string>;
  readonly #name: string;
  readonly #by: Looking;
  readonly #hadProfile: boolean;
  #stored: PendingCreation | undefined;

  /** @throws ConfigError if another process is creating a key for the profile */
  constructor(name: string, file: ProfileFile, by: Looking) {
    const { left, ignored, ignoredKey, livePid, maker } = recordedCreation(file, name, by);
    if (livePid !== undefined) {
      throw new ConfigError(`process ${livePid} is creating a key for profile ${JSON.stringify(name)}`, {
        hint: 'let it finish, then look',
        next: ['orgctl', 'profile', 'show'],
      });
    }
    refuseTaken(`the record of profile ${JSON.stringify(name)}`, file, maker);
    this.left = left;
    this.ignored = ignored;
    this.ignoredKey = ignoredKey;
    this.kept = keysInUse(file, by.signer);
    this.existing = keysInUse(file, by.signer, true);
    this.#name = name;
    this.#by = by;
    this.#hadProfile = findProfile(file, name) !== undefined;
    this.#stored = pendingCreation(file, name);
  }

  async begin(creation: PendingCreation): Promise<void> {
    const { store, signer, pid } = this.#by;
    // If `describeRun` returns no `started`, an earlier run's must not stay.
    const { started: _, ...others } = creation;
    const sealed = { ...seal({ ...others, ...describeRun(pid) }, describeStore(store), signer) };
    await store.beginCreation(this.#name, sealed, { left: this.#stored, hadProfile: this.#hadProfile });
    this.#stored = sealed;
    this.left = creation;
  }

  /** Creates or changes the profile. @throws ConfigError if another process took over meanwhile */
  finish(change: (profile: Profile | undefined) => Profile): Promise<ProfileFile> {
    return this.#by.store.finishCreation(this.#name, this.#begun, change);
  }

  /** Removes the record, because there is no key or its secret is stored elsewhere. */
  cancel(): Promise<ProfileFile> {
    return this.#by.store.cancelCreation(this.#name, this.#begun);
  }

  get #begun(): PendingCreation {
    if (this.#stored === undefined) throw new Error('the creation of the key was not recorded');
    return this.#stored;
  }
}

/** The profile as the rotation last read or wrote it. */
export interface RotationBegun {
  readonly name: string;
  readonly profile: Profile;
  readonly pendingId: string | undefined;
}

type ReadContext = Pick<Context, 'profiles'>;

/** @throws ConfigError if the profile's address, key, secret or pending key has changed */
export function requireUnchanged(begun: RotationBegun, current: Profile | undefined): Profile {
  if (current !== undefined && isSame(begun, current)) return current;
  throw new ConfigError(`another process has changed profile ${JSON.stringify(begun.name)}`);
}

/** Whether the next run can continue from the profile's records. False if the profiles cannot be read. */
export async function isUnchanged(begun: RotationBegun, context: ReadContext): Promise<boolean> {
  return isSame(begun, await readAgain(begun, context));
}

function isSame({ profile, pendingId }: RotationBegun, current: Profile | undefined): boolean {
  const { baseUrl, keyId, secret } = profile;
  const isSameKey = current?.baseUrl === baseUrl && current.keyId === keyId && current.secret === secret;
  return isSameKey && current.pending?.keyId === pendingId;
}

async function readAgain({ name }: RotationBegun, { profiles }: ReadContext): Promise<Profile | undefined> {
  const file = await profiles()
    .read()
    .catch(() => emptyProfileFile);
  return findProfile(file, name);
}

/** For a new key that was not put into use. Advises a rerun only if it would delete the key or continue with it. */
export async function notInUse(
  error: unknown,
  id: string,
  begun: RotationBegun,
  context: ReadContext,
): Promise<ConfigError> {
  const message = `${readMessage(error)}; the new key ${id} was created and is enabled, but not in use`;
  const advice = adviseDeleting(id, begun, await readAgain(begun, context));
  return new ConfigError(message, { ...advice, cause: error });
}

function adviseDeleting(id: string, begun: RotationBegun, current: Profile | undefined): Advice {
  const remove = ['orgctl', 'api-keys', 'delete', ...toOperands(id)];
  if (isSame(begun, current)) {
    const again = `fix the cause and run the same command: it deletes ${id} and creates another`;
    return { hint: `${again}; to delete it`, next: remove };
  }
  // Stored after all: only the directory could not be synced.
  if (current?.pending?.keyId === id) return { hint: 'run the same command again to continue with it' };
  const { baseUrl } = begun.profile;
  if (current?.baseUrl === baseUrl) return { hint: 'delete it', next: remove };
  return {
    hint: `delete it with a profile for ${baseUrl}`,
    next: ['orgctl', 'api-keys', 'delete', '-p', 'NAME', ...toOperands(id)],
  };
}

/** For a key that may exist. The next run looks for it only if the profile still has the key that sealed the record. */
export async function adviseLost(
  creation: PendingCreation,
  begun: RotationBegun,
  context: ReadContext,
): Promise<string | Advice> {
  return (await isUnchanged(begun, context)) ? mayExistHint(creation) : adviseFinding(creation);
}
