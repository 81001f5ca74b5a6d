import type { Kysely } from 'kysely';
import { ConfigError } from '../errors.js';
import { type Cipher, createCipher } from './cipher.js';
import { readSetting, writeSetting } from './settings.js';
import type { Tables } from './tables.js';

/** A cipher, and what it is recognized by. */
export interface Unlocked {
  readonly cipher: Cipher;
  readonly check: string;
}

const place = 'settings.value master_key_check';

/**
 * The cipher, once it has opened what an earlier start sealed for this very purpose.
 * @param masterKey gives the key; `existing` says that something is sealed already
 * @throws ConfigError when that was sealed with another key
 */
export async function unlock(
  database: Kysely<Tables>,
  masterKey: (existing: boolean) => Promise<Uint8Array>,
): Promise<Unlocked> {
  const check = await readSetting(database, 'master_key_check');
  const cipher = createCipher(await masterKey(check !== undefined));
  if (check === undefined) {
    const made = sealCheck(cipher);
    await writeSetting(database, 'master_key_check', made);
    return { cipher, check: made };
  }
  if (opensCheck(cipher, check)) return { cipher, check };
  throw new ConfigError('the data was encrypted with another master key', {
    hint: 'restore the master.key it was made with, or set ORGCTL_SERVE_MASTER_KEY to that key; one that is being changed is changed for good by: orgctl serve rotate-master-key',
  });
}

/** What is kept in the settings to recognize a cipher by. */
export function sealCheck(cipher: Cipher): string {
  return cipher.seal('', place).toString('base64');
}

/** Whether a cipher has the key that the check was sealed with. */
export function opensCheck(cipher: Cipher, check: string): boolean {
  try {
    cipher.open(Buffer.from(check, 'base64'), place);
    return true;
  } catch {
    return false;
  }
}
