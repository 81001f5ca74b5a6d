import { pendingCreation } from '../../profiles/pending-creation.js';
import type { PendingCreation, Profile, ProfileFile } from '../../profiles/profile-file.js';
import { type RecordSigner, seal, whyNotSealed } from '../../profiles/record-seal.js';
import type { ProfileStore } from '../../profiles/store.js';
import type { CreationRecord } from './interrupted-creation.js';

/** One place for all profiles: a renamed profile keeps its record. */
const place = 'profiles';

/** The creation that an interrupted run recorded for a profile, or why it is ignored. */
export function recordedCreation(
  file: ProfileFile,
  name: string,
  signer: RecordSigner,
): Pick<CreationRecord, 'left' | 'ignored'> {
  const left = pendingCreation(file, name);
  if (left === undefined) return { left };
  const problem = whyNotSealed(left, place, signer);
  if (problem === undefined) return { left };
  return { left: undefined, ignored: `the recorded creation of a key for profile ${name} ${problem}` };
}

/** The record of a creation in the profile file, sealed. */
export class ProfileRecord implements CreationRecord {
  left: PendingCreation | undefined;
  readonly ignored: string | undefined;
  readonly #name: string;
  readonly #store: ProfileStore;
  readonly #signer: RecordSigner;
  /** The record in the file, whoever wrote it. */
  #stored: PendingCreation | undefined;

  constructor(name: string, file: ProfileFile, store: ProfileStore, signer: RecordSigner) {
    const { left, ignored } = recordedCreation(file, name, signer);
    this.left = left;
    this.ignored = ignored;
    this.#name = name;
    this.#store = store;
    this.#signer = signer;
    this.#stored = pendingCreation(file, name);
  }

  async begin(creation: PendingCreation): Promise<void> {
    const sealed = seal(creation, place, this.#signer);
    await this.#store.beginCreation(this.#name, sealed, this.#stored);
    this.#stored = sealed;
    this.left = creation;
  }

  /** Creates or changes the profile. @throws ConfigError when another process took over meanwhile */
  finish(change: (profile: Profile | undefined) => Profile): Promise<ProfileFile> {
    return this.#store.finishCreation(this.#name, this.#begun, change);
  }

  /** Removes the record: no key was made, or its secret is elsewhere. */
  cancel(): Promise<ProfileFile> {
    return this.#store.cancelCreation(this.#name, this.#begun);
  }

  get #begun(): PendingCreation {
    if (this.#stored === undefined) throw new Error('the creation of the key was not recorded');
    return this.#stored;
  }
}
