import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, describeFileError, readMessage, readSystemCode } from '../../errors/errors.js';
import { syncParentDirectory } from '../../platform/durable-file.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { toFingerprint } from '../../storage/database/cipher.js';
import { type KnownKey, masterKeyText, readMasterKey } from './master-key-text.js';
import { writePrivately } from './private-file.js';

export const oldMasterKeysName = 'old-master-keys';

const ending = '.key';

export interface OldMasterKey extends KnownKey {
  readonly fingerprint: string;
  readonly replacedAt: string;
}

export interface FoundKeys {
  readonly keys: readonly OldMasterKey[];
  readonly problems: readonly string[];
}

/** Replaced master keys, which open older backups: files (0600) named by fingerprint. */
export class OldMasterKeys {
  readonly path: string;

  constructor(directory: string) {
    this.path = join(directory, oldMasterKeysName);
  }

  fileOf(fingerprint: string): string {
    return join(this.path, `${fingerprint}${ending}`);
  }

  /** All key files in the folder. @throws ConfigError if the folder is unreadable */
  async files(): Promise<string[]> {
    const names = (await this.#names()).filter((name) => name.endsWith(ending));
    return names.map((name) => join(this.path, name));
  }

  /** Most recently replaced first; `problems` name unreadable files. @throws ConfigError as `files` */
  async find(): Promise<FoundKeys> {
    const keys: OldMasterKey[] = [];
    const problems: string[] = [];
    for (const file of await this.files()) {
      try {
        const found = await readOldKey(file);
        if (found !== undefined) keys.push(found);
      } catch (error) {
        problems.push(readMessage(error));
      }
    }
    return { keys: keys.sort((a, b) => b.replacedAt.localeCompare(a.replacedAt)), problems };
  }

  /** Stores a key durably; call this before the key is replaced. @throws ConfigError if the folder is unwritable */
  async keep(key: Uint8Array): Promise<KeptKey> {
    const fingerprint = toFingerprint(key);
    const file = this.fileOf(fingerprint);
    try {
      makeDirectory(this.path);
      await syncParentDirectory(this.path);
    } catch (error) {
      throw new ConfigError(`${this.path} cannot be created: ${describeFileError(error)}`, { cause: error });
    }
    await writePrivately(file, masterKeyText(key));
    return { fingerprint, file };
  }

  async #names(): Promise<string[]> {
    return readdir(this.path).catch((error: unknown) => {
      if (readSystemCode(error) === 'ENOENT') return [];
      throw new ConfigError(`${this.path} cannot be read: ${describeFileError(error)}`, { cause: error });
    });
  }
}

export interface KeptKey {
  readonly fingerprint: string;
  readonly file?: string;
}

async function readOldKey(file: string): Promise<OldMasterKey | undefined> {
  const key = readMasterKey(file);
  if (key === undefined) return undefined;
  const { mtime } = await stat(file);
  return { key, source: file, fingerprint: toFingerprint(key), replacedAt: mtime.toISOString() };
}
