import type { Kysely } from 'kysely';
import { ConfigError } from '../../errors/errors.js';
import { type Cipher, createCipher } from '../database/cipher.js';
import { readSetting, writeSetting } from '../database/settings.js';
import type { Tables } from '../database/tables.js';
import { transact } from '../database/transact.js';

export interface Unlocked {
  readonly cipher: Cipher;
  readonly check: string;
}

const keyCheckData = 'settings.value master_key_check';

export type Opens = (masterKey: Uint8Array) => boolean;

export interface MasterKeySource {
  key(existing: boolean): Promise<Uint8Array>;
  isBeingChanged?(): boolean;
  settle?(opens: Opens): Promise<void>;
}

/** Checks the key: the first start seals a check value, later starts open it. @throws ConfigError for a wrong key */
export async function unlock(database: Kysely<Tables>, source: MasterKeySource): Promise<Unlocked> {
  // Waits for a running rotation, which holds the write lock. Otherwise, takes no lock: it would delay other servers.
  if (source.isBeingChanged?.()) {
    await transact(database, async (transaction) => source.settle?.(await opensIn(transaction)), {
      alone: true,
    });
  }
  const check = await readSetting(database, 'master_key_check');
  const cipher = createCipher(await source.key(check !== undefined));
  if (check === undefined) {
    const sealed = sealCheck(cipher);
    await writeSetting(database, 'master_key_check', sealed);
    return { cipher, check: sealed };
  }
  if (opensCheck(cipher, check)) return { cipher, check };
  throw new ConfigError('the data was encrypted with another master key', {
    hint: 'restore the master.key that encrypted it, or give that key as the master key; if a rotation of the key was interrupted, finish it',
  });
}

/** Returns a function that tells whether a key opens the current data. Without a stored check value, none does. */
export async function opensIn(database: Kysely<Tables>): Promise<Opens> {
  const check = await readSetting(database, 'master_key_check');
  return (masterKey) => check !== undefined && opensCheck(createCipher(masterKey), check);
}

export function sealCheck(cipher: Cipher): string {
  return cipher.seal('', keyCheckData).toString('base64');
}

function opensCheck(cipher: Cipher, check: string): boolean {
  try {
    cipher.open(Buffer.from(check, 'base64'), keyCheckData);
    return true;
  } catch {
    return false;
  }
}
