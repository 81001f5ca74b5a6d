import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConfigError, messageOf } from '../errors.js';
import { masterKeyLength } from '../storage/cipher.js';
import type { DataDirectory } from './data-directory.js';
import { readIfThere, writePrivately } from './private-file.js';
import type { ServerOptions } from './server-options.js';

/** The file that holds the key, in the data directory. */
export const masterKeyName = 'master.key';

/**
 * The key that data is encrypted with: the one given, or else `master.key` in the data directory, made (0600) at the
 * first start. For data that is not kept the key is only in memory.
 * @throws ConfigError when it is not 64 hexadecimal characters, or when it is missing and `existing` data needs it.
 */
export async function masterKey(
  directory: DataDirectory,
  { masterKey: given, database }: Pick<ServerOptions, 'masterKey' | 'database'>,
  existing: boolean,
): Promise<Buffer> {
  if (given !== undefined) return decodeMasterKey(given, 'the master key (ORGCTL_SERVE_MASTER_KEY)');
  if (!directory.kept) {
    if (database !== undefined) throw notKept();
    return randomBytes(masterKeyLength);
  }
  const path = join(directory.path, masterKeyName);
  const stored = await readMasterKey(path);
  if (stored !== undefined) return stored;
  if (existing) throw missing(path);
  const key = randomBytes(masterKeyLength);
  await writePrivately(path, `${key.toString('hex')}\n`);
  return key;
}

/**
 * The key in a file; `undefined` when there is no such file.
 * @throws ConfigError when it cannot be read, or holds something else.
 */
export async function readMasterKey(path: string): Promise<Buffer | undefined> {
  const stored = await readIfThere(path).catch((error: unknown) => {
    throw new ConfigError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  return stored === undefined ? undefined : decodeMasterKey(stored.trim(), path);
}

/** @throws ConfigError, naming the source and never the text, when that is not 64 hexadecimal characters. */
export function decodeMasterKey(text: string, source: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  throw new ConfigError(`${source} is not 64 hexadecimal characters`, {
    hint: 'make one with: node -p "crypto.randomBytes(32).toString(\'hex\')"',
  });
}

function missing(path: string): ConfigError {
  return new ConfigError(`${path} is missing, and the data was encrypted with it`, {
    hint: 'restore it from a backup or copy it from another server of the database, or set ORGCTL_SERVE_MASTER_KEY to the key that was used',
  });
}

function notKept(): ConfigError {
  return new ConfigError('a shared database needs a master key that outlives this server', {
    hint: 'set ORGCTL_SERVE_MASTER_KEY, or name a directory that holds master.key with --data',
  });
}
