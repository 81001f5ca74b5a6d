import type { Kysely } from 'kysely';
import type { Cipher } from '../database/cipher.js';
import { readSetting } from '../database/settings.js';
import { StoreUnavailable } from '../database/store-unavailable.js';
import type { Tables } from '../database/tables.js';
import type { Work } from '../database/transact.js';
import type { Unlocked } from './unlock.js';

/**
 * Keeps a server from writing with an outdated master key: nobody could open that later. The key only changes while
 * nobody writes, so what a transaction has read of it holds until its end.
 */
export class MasterKeyFence {
  /** What this server's key is recognized by. */
  readonly check: string;
  readonly #place: string;

  constructor({ check }: Unlocked, place: string) {
    this.check = check;
    this.#place = place;
  }

  /** The work, unless the key was changed. */
  guard<Result>(work: Work<Result>): Work<Result> {
    return async (transaction) => {
      await this.requireUnchanged(transaction);
      return work(transaction);
    };
  }

  /** @throws StoreUnavailable when the key was changed. */
  async requireUnchanged(database: Kysely<Tables>): Promise<void> {
    this.requireCheck(await readSetting(database, 'master_key_check'));
  }

  /** As that, of a check that somebody else has read. */
  requireCheck(check: string | undefined): void {
    if (check !== this.check) throw this.#changed();
  }

  /** A cipher that takes what it cannot open for what another key has sealed. */
  telling(cipher: Cipher): Cipher {
    return {
      seal: cipher.seal,
      open: (sealed, additionalData) => {
        try {
          return cipher.open(sealed, additionalData);
        } catch (error) {
          throw this.#changed(error);
        }
      },
    };
  }

  #changed(cause?: unknown): StoreUnavailable {
    const reason = 'its master key was changed, and this server has to be started with the new one';
    return new StoreUnavailable(this.#place, reason, { cause });
  }
}
