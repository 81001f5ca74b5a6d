import { randomBytes } from 'node:crypto';
import { ConfigError } from '../../errors/errors.js';
import { masterKeyLength } from '../../storage/database/cipher.js';
import type { MasterKeySource } from '../../storage/encryption/unlock.js';
import type { Notify } from '../journal/log.js';
import type { ServerOptions } from '../options/server-options.js';
import type { DataDirectory } from './data-directory.js';
import { MasterKeyFile, type Settled } from './master-key-file.js';
import { decodeMasterKey } from './master-key-text.js';

/**
 * The given master key, or `master.key` in the data directory, created (0600) at the first start. For data in memory,
 * the key is in memory, too. `key` throws ConfigError, for example if the key is malformed, or missing for
 * existing data.
 * @param notify called after an interrupted key change has been completed or undone
 */
export function masterKeySource(
  directory: DataDirectory,
  { masterKey: given, database }: Pick<ServerOptions, 'masterKey' | 'database'>,
  notify: Notify,
): MasterKeySource {
  if (given !== undefined) {
    return { key: async () => decodeMasterKey(given, 'the given master key') };
  }
  if (!directory.kept) {
    return {
      async key() {
        if (database !== undefined) throw keyNotKept();
        return randomBytes(masterKeyLength);
      },
    };
  }
  const file = new MasterKeyFile(directory.path);
  return {
    isBeingChanged: () => file.isBeingChanged(),
    async settle(opens) {
      const settled = await file.settle(opens);
      if (settled !== undefined) notify('warning', endLine(settled, file));
    },
    async key(existing) {
      const stored = file.read();
      if (stored === undefined && existing) throw missingKey(file.path);
      return stored ?? file.create();
    },
  };
}

function endLine({ result, kept }: Settled, { path }: MasterKeyFile): string {
  const begun = 'a rotation of the master key was interrupted';
  const old = kept?.file === undefined ? '' : `; the old key, for earlier backups, is in ${kept.file}`;
  return result === 'done'
    ? `${begun} after the data was encrypted with the new key, which is now in ${path}; back it up${old}`
    : `${begun} before the data was encrypted with the new key: the data still uses the key in ${path}; start the rotation again`;
}

function missingKey(path: string): ConfigError {
  return new ConfigError(`${path} is missing, and the data was encrypted with it`, {
    hint: 'restore it from a backup, copy it from another server of the database, or give the server the key that was used',
  });
}

function keyNotKept(): ConfigError {
  return new ConfigError('a shared database needs a master key that outlives this server', {
    hint: 'give the server a master key, or a data directory that has one in master.key',
  });
}
