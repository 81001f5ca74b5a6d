import type { Kysely } from 'kysely';
import { ConfigError } from '../../errors/errors.js';
import { option } from '../../errors/server-option.js';
import { type Cipher, createCipher } from '../database/cipher.js';
import { readSetting, writeSetting } from '../database/settings.js';
import type { Tables } from '../database/tables.js';
import { transact } from '../database/transact.js';

/** A cipher, and the value it is recognized by. */
export interface Unlocked {
  readonly cipher: Cipher;
  readonly check: string;
}

const keyCheckData = 'settings.value master_key_check';

/** Whether a master key, 32 bytes, is the one that the data is encrypted with. */
export type Opens = (masterKey: Uint8Array) => boolean;

/** Where a store has its master key from. */
export interface MasterKeySource {
  /** `existing` says that something is sealed already, so that a new key would not open it. */
  key(existing: boolean): Promise<Uint8Array>;
  /** Whether a change of the key was begun and not ended; absent where that cannot be. */
  isBeingChanged?(): Promise<boolean>;
  /** Ends it, while nobody else can change the key. */
  settle?(opens: Opens): Promise<void>;
}

/**
 * The cipher, once it has opened what an earlier start sealed for this very purpose.
 * @throws ConfigError when that was sealed with another key
 */
export async function unlock(database: Kysely<Tables>, source: MasterKeySource): Promise<Unlocked> {
  // A running change has the lock of all writes. Only then is it waited for: servers that write do so all the time.
  if (await source.isBeingChanged?.()) {
    await transact(database, async (transaction) => source.settle?.(await opensIn(transaction)), {
      alone: true,
    });
  }
  const check = await readSetting(database, 'master_key_check');
  const cipher = createCipher(await source.key(check !== undefined));
  if (check === undefined) {
    const made = sealCheck(cipher);
    await writeSetting(database, 'master_key_check', made);
    return { cipher, check: made };
  }
  if (opensCheck(cipher, check)) return { cipher, check };
  throw new ConfigError('the data was encrypted with another master key', {
    hint: `restore the master.key it was made with, or set ${option('masterKey')} to that key; if a change of the key was begun, finish it`,
    see: { what: 'master-key' },
  });
}

/** Asks the data which key it has, as it is now; none opens data of which nothing is sealed. */
export async function opensIn(database: Kysely<Tables>): Promise<Opens> {
  const check = await readSetting(database, 'master_key_check');
  return (masterKey) => check !== undefined && opensCheck(createCipher(masterKey), check);
}

/** What is kept in the settings to recognize a cipher by. */
export function sealCheck(cipher: Cipher): string {
  return cipher.seal('', keyCheckData).toString('base64');
}

/** Whether a cipher has the key that the check was sealed with. */
function opensCheck(cipher: Cipher, check: string): boolean {
  try {
    cipher.open(Buffer.from(check, 'base64'), keyCheckData);
    return true;
  } catch {
    return false;
  }
}
