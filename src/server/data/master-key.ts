import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigError } from '../../errors/errors.js';
import { KeyRing, type KeyRingSource, masterKeyLength } from '../../storage/key-ring.js';
import type { ServerOptions } from '../options.js';
import { type DataDirectory, masterKeyName } from './data-directory.js';
import { readIfThere, writePrivately } from './private-file.js';

/** Newest first. */
export type MasterKeys = readonly [Uint8Array, ...Uint8Array[]];

/**
 * The given master keys, or those of the data directory, where the first start makes one; for data in memory, a new one.
 * The source throws ConfigError if a key is malformed, or missing for existing data.
 */
export function masterKeySource(
  { path, kept }: DataDirectory,
  { masterKey: given, database }: ServerOptions,
): KeyRingSource {
  return async (isNew) => {
    if (given === undefined && !kept && database !== undefined) {
      const hint = 'give the server a master key, or a data directory that has one in master.key';
      throw new ConfigError('a shared database needs a master key that outlives this server', { hint });
    }
    const keys = given === undefined && !kept ? undefined : readMasterKeys(path, given);
    if (keys !== undefined) return new KeyRing(...keys);
    if (!isNew) throw missingKey(path);
    const key = randomBytes(masterKeyLength);
    if (kept) await writeMasterKeys(path, [key]);
    return new KeyRing(key);
  };
}

/** @throws ConfigError if one is unreadable or malformed */
export function readMasterKeys(directory: string, given: string | undefined): MasterKeys | undefined {
  if (given !== undefined) return decodeMasterKeys(given, 'the given master key');
  const path = join(directory, masterKeyName);
  const text = readIfThere(path, 'secret');
  return text === undefined ? undefined : decodeMasterKeys(text, path, fileHint);
}

export async function writeMasterKeys(directory: string, keys: MasterKeys): Promise<void> {
  const lines = keys.map((key) => `${Buffer.from(key).toString('hex')}\n`);
  await writePrivately(join(directory, masterKeyName), lines.join(''));
}

// Suggests no new key, which would not open the data.
const fileHint = 'restore the file from a backup, or copy it from another server of the same database';

const keyHint =
  'set it to the key that encrypted the data; for new data, make one with: node -p "crypto.randomBytes(32).toString(\'hex\')"';

/** @throws ConfigError unless each line or part between commas is 64 hexadecimal characters */
export function decodeMasterKeys(text: string, source: string, hint = keyHint): MasterKeys {
  const parts = text.trim().split(/[\s,]+/);
  const [newest, ...older] = parts.map((part) => Buffer.from(part, 'hex'));
  if (newest === undefined || !parts.every((part) => /^[0-9a-f]{64}$/i.test(part)))
    throw new ConfigError(`${source} is not 64 hexadecimal characters`, { hint });
  return [newest, ...older];
}

export function missingKey(directory: string): ConfigError {
  const what = `${join(directory, masterKeyName)} is missing, and the data was encrypted with it`;
  return new ConfigError(what, { hint: fileHint });
}
