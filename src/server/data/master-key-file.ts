import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigError, messageOf } from '../../errors.js';
import { masterKeyLength } from '../../storage/cipher.js';
import type { Opens } from '../../storage/unlock.js';
import { putInPlace, readIfThere, removePrivately, writePrivately } from './private-file.js';

/** The file that holds the key, in the data directory. */
export const masterKeyName = 'master.key';

/** The file with the next key, while the key is being changed. */
const pendingName = 'master.key.new';

/** Both files of the master key, which hold nothing but secrets. */
export const masterKeyNames: readonly string[] = [masterKeyName, pendingName];

/** A master key, and where it is from. */
export interface KnownKey {
  readonly key: Buffer;
  readonly source: string;
}

/** How an interrupted change of the master key was completed: the data already had the new key, or still the old one. */
export type Settled = 'done' | 'undone';

/**
 * The master key of a data directory. During a change, the new key is next to it: on the disk before anything is
 * encrypted with it, until it replaces the old one. Whoever changes the files holds the data's lock, and asks the data
 * which key it has.
 */
export class MasterKeyFile {
  readonly path: string;
  readonly #pending: string;

  constructor(directory: string) {
    this.path = join(directory, masterKeyName);
    this.#pending = join(directory, pendingName);
  }

  /** `undefined` when there is none. @throws ConfigError when it cannot be read, or holds something else. */
  read(): Promise<Buffer | undefined> {
    return readKey(this.path);
  }

  /** Every key that the data may have: two during a change. @throws ConfigError as `read` */
  async candidates(): Promise<KnownKey[]> {
    const known: KnownKey[] = [];
    for (const source of [this.path, this.#pending]) {
      const key = await readKey(source);
      if (key !== undefined) known.push({ key, source });
    }
    return known;
  }

  /** Makes the first one. @throws ConfigError when it cannot be written. */
  async create(): Promise<Buffer> {
    const key = randomBytes(masterKeyLength);
    await writePrivately(this.path, textOf(key));
    return key;
  }

  /** Whether a change was started and not completed. @throws ConfigError when that cannot be read. */
  async isBeingChanged(): Promise<boolean> {
    return (await readKey(this.#pending)) !== undefined;
  }

  /**
   * Completes an interrupted change, if there is one. If neither key opens the data, both stay as they are.
   * @throws ConfigError when the files cannot be read or written.
   */
  async settle(opens: Opens): Promise<Settled | undefined> {
    const pending = await readKey(this.#pending);
    if (pending === undefined) return undefined;
    if (opens(pending)) {
      await putInPlace(this.#pending, this.path);
      return 'done';
    }
    const current = await this.read();
    if (current === undefined || !opens(current)) return undefined;
    await removePrivately(this.#pending);
    return 'undone';
  }

  /** Writes the next key to the disk. Not to be called before the last change is completed. */
  async propose(next: Uint8Array): Promise<void> {
    await writePrivately(this.#pending, textOf(next));
  }
}

/** @throws ConfigError, naming the source and not the text, when that is not 64 hexadecimal characters */
export function decodeMasterKey(text: string, source: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  throw new ConfigError(`${source} is not 64 hexadecimal characters`, {
    hint: 'make one with: node -p "crypto.randomBytes(32).toString(\'hex\')"',
  });
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const stored = await readIfThere(path, 'secret').catch((error: unknown) => {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  return stored === undefined ? undefined : decodeMasterKey(stored.trim(), path);
}

function textOf(key: Uint8Array): string {
  return `${Buffer.from(key).toString('hex')}\n`;
}
