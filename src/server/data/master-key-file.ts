import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { masterKeyLength } from '../../storage/database/cipher.js';
import type { Opens } from '../../storage/encryption/unlock.js';
import { type KnownKey, masterKeyText, readMasterKey } from './master-key-text.js';
import { type KeptKey, OldMasterKeys } from './old-master-keys.js';
import { moveInPlace, removePrivately, writePrivately } from './private-file.js';

/** The file that holds the key, in the data directory. */
export const masterKeyName = 'master.key';

/** The file with the next key, while the key is being changed. */
const pendingName = 'master.key.new';

/** Both files of the master key, which hold nothing but secrets. */
export const masterKeyNames: readonly string[] = [masterKeyName, pendingName];

/** How a change of the master key was completed: the data already had the new key, or still the old one. */
export interface Settled {
  readonly result: 'done' | 'undone';
  /** The key that was replaced. */
  readonly kept?: KeptKey;
}

/**
 * The master key of a data directory. During a change, the new key is next to it: on the disk before anything is
 * encrypted with it, until it replaces the old one, which is kept. Whoever changes the files holds the data's lock, and asks the data
 * which key it has.
 */
export class MasterKeyFile {
  readonly path: string;
  readonly old: OldMasterKeys;
  readonly #pending: string;

  constructor(directory: string) {
    this.old = new OldMasterKeys(directory);
    this.path = join(directory, masterKeyName);
    this.#pending = join(directory, pendingName);
  }

  /** `undefined` when there is none. @throws ConfigError when it cannot be read, or holds something else. */
  read(): Promise<Buffer | undefined> {
    return readMasterKey(this.path);
  }

  /** Every key that the data may have: two during a change. @throws ConfigError as `read` */
  async candidates(): Promise<KnownKey[]> {
    const known: KnownKey[] = [];
    for (const source of [this.path, this.#pending]) {
      const key = await readMasterKey(source);
      if (key !== undefined) known.push({ key, source });
    }
    return known;
  }

  /** Makes the first one. @throws ConfigError when it cannot be written. */
  async create(): Promise<Buffer> {
    const key = randomBytes(masterKeyLength);
    await this.adopt(key);
    return key;
  }

  /** Writes the key where there is none. @throws ConfigError when it cannot be written. */
  async adopt(key: Uint8Array): Promise<void> {
    await writePrivately(this.path, masterKeyText(key));
  }

  /** Whether a change was started and not completed. @throws ConfigError when that cannot be read. */
  async isBeingChanged(): Promise<boolean> {
    return (await readMasterKey(this.#pending)) !== undefined;
  }

  /**
   * Completes an interrupted change, if there is one. If neither key opens the data, both stay as they are.
   * @throws ConfigError when the files cannot be read or written.
   */
  async settle(opens: Opens): Promise<Settled | undefined> {
    const pending = await readMasterKey(this.#pending);
    if (pending === undefined) return undefined;
    const current = await this.read();
    if (opens(pending)) {
      // Before it is replaced: backups need it.
      const kept = current && !current.equals(pending) ? await this.old.keep(current) : undefined;
      await moveInPlace(this.#pending, this.path);
      return { result: 'done', ...(kept && { kept }) };
    }
    if (current === undefined || !opens(current)) return undefined;
    await removePrivately(this.#pending);
    return { result: 'undone' };
  }

  /** Writes the next key to the disk. Not to be called before the last change is completed. */
  async propose(next: Uint8Array): Promise<void> {
    await writePrivately(this.#pending, masterKeyText(next));
  }
}
