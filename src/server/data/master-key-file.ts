import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { masterKeyLength } from '../../storage/database/cipher.js';
import type { Opens } from '../../storage/encryption/unlock.js';
import { type KnownKey, masterKeyText, readMasterKey } from './master-key-text.js';
import { type KeptKey, OldMasterKeys } from './old-master-keys.js';
import { moveInPlace, removePrivately, writePrivately } from './private-file.js';

export const masterKeyName = 'master.key';

const pendingName = 'master.key.new';

export const masterKeyNames: readonly string[] = [masterKeyName, pendingName];

/** How a change ended: with the new key (`done`) or the old one. */
export interface Settled {
  readonly result: 'done' | 'undone';
  readonly kept?: KeptKey;
}

/** Change the key only while the data is locked. A change stores the new key beside the old one before encrypting. */
export class MasterKeyFile {
  readonly path: string;
  readonly old: OldMasterKeys;
  readonly #pending: string;

  constructor(directory: string) {
    this.old = new OldMasterKeys(directory);
    this.path = join(directory, masterKeyName);
    this.#pending = join(directory, pendingName);
  }

  /** `undefined` if missing. @throws ConfigError if it is unreadable or malformed */
  read(): Buffer | undefined {
    return readMasterKey(this.path);
  }

  /** Keys that the data may be encrypted with: two during a change. @throws ConfigError as `read` */
  async candidates(): Promise<KnownKey[]> {
    const known: KnownKey[] = [];
    for (const source of [this.path, this.#pending]) {
      const key = readMasterKey(source);
      if (key !== undefined) known.push({ key, source });
    }
    return known;
  }

  async create(): Promise<Buffer> {
    const key = randomBytes(masterKeyLength);
    await this.adopt(key);
    return key;
  }

  async adopt(key: Uint8Array): Promise<void> {
    await writePrivately(this.path, masterKeyText(key));
  }

  isBeingChanged(): boolean {
    return readMasterKey(this.#pending) !== undefined;
  }

  /** Ends a change; keeps both keys if neither opens the data. @throws ConfigError if a key file cannot be used */
  async settle(opens: Opens): Promise<Settled | undefined> {
    const pending = readMasterKey(this.#pending);
    if (pending === undefined) return undefined;
    const current = this.read();
    if (opens(pending)) {
      // Archives the old key before it is replaced: backups need it.
      const kept = current && !current.equals(pending) ? await this.old.keep(current) : undefined;
      await moveInPlace(this.#pending, this.path);
      return { result: 'done', ...(kept && { kept }) };
    }
    if (current === undefined || !opens(current)) return undefined;
    await removePrivately(this.#pending);
    return { result: 'undone' };
  }

  /** Stores the next key. Call `settle` first, to end an earlier change. */
  async propose(next: Uint8Array): Promise<void> {
    await writePrivately(this.#pending, masterKeyText(next));
  }
}
