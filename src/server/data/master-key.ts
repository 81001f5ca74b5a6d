import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigError } from '../../errors/errors.js';
import { KeyRing, masterKeyLength } from '../../storage/key-ring.js';
import type { KeyRingSource } from '../../storage/master-key.js';
import type { ServerOptions } from '../options.js';
import { type DataDirectory, masterKeyName } from './data-directory.js';
import { readIfThere, writePrivately } from './private-file.js';

export const keyMakingHint = 'make one with: node -p "crypto.randomBytes(32).toString(\'hex\')"';

/** Newest first. */
export type MasterKeys = readonly [Uint8Array, ...Uint8Array[]];

/**
 * The given master keys, or those of the data directory, where the first start of new data makes one (0600). For data in
 * memory, the key is in memory, too. The source throws ConfigError if a key is malformed, or missing for existing data.
 */
export function masterKeySource(
  { path, kept }: Pick<DataDirectory, 'path' | 'kept'>,
  { masterKey: given, database }: Pick<ServerOptions, 'masterKey' | 'database'>,
): KeyRingSource {
  return async (isNew) => {
    if (given === undefined && !kept && database !== undefined) {
      throw new ConfigError('a shared database needs a master key that outlives this server', {
        hint: 'give the server a master key, or a data directory that has one in master.key',
      });
    }
    const keys = given === undefined && !kept ? undefined : readMasterKeys(path, given);
    if (keys !== undefined) return new KeyRing(...keys);
    if (!isNew) throw missingKey(path);
    const key = randomBytes(masterKeyLength);
    if (kept) await writeMasterKeys(path, [key]);
    return new KeyRing(key);
  };
}

/** The given master keys, or those of a data directory. @throws ConfigError if one is unreadable or malformed */
export function readMasterKeys(directory: string, given: string | undefined): MasterKeys | undefined {
  if (given !== undefined) return decodeMasterKeys(given, 'the given master key');
  const path = join(directory, masterKeyName);
  const text = readIfThere(path, 'secret');
  // A new key would not open the data.
  const hint = 'restore the file from a backup, or copy it from another server of the same database';
  return text === undefined ? undefined : decodeMasterKeys(text, path, hint);
}

export async function writeMasterKeys(directory: string, keys: MasterKeys): Promise<void> {
  const lines = keys.map((key) => `${Buffer.from(key).toString('hex')}\n`);
  await writePrivately(join(directory, masterKeyName), lines.join(''));
}

const usedKeyHint = `set it to the key that encrypted the data; for new data, ${keyMakingHint}`;

/** @throws ConfigError, naming only the source, unless each line or part between commas is 64 hexadecimal characters */
export function decodeMasterKeys(text: string, source: string, hint = usedKeyHint): MasterKeys {
  const [newest, ...older] = text
    .trim()
    .split(/[\s,]+/)
    .map((part) => {
      if (/^[0-9a-f]{64}$/i.test(part)) return Buffer.from(part, 'hex');
      throw new ConfigError(`${source} is not 64 hexadecimal characters`, { hint });
    });
  if (newest === undefined) throw new ConfigError(`${source} is empty`, { hint });
  return [newest, ...older];
}

export function missingKey(directory: string): ConfigError {
  return new ConfigError(`${join(directory, masterKeyName)} is missing, and the data was encrypted with it`, {
    hint: 'restore it from a backup, copy it from another server of the database, or give the server the key that was used',
  });
}
