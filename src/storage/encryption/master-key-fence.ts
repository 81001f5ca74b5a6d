import type { Kysely } from 'kysely';
import type { Cipher } from '../database/cipher.js';
import { readSetting } from '../database/settings.js';
import { StoreUnavailable } from '../database/store-unavailable.js';
import type { Tables } from '../database/tables.js';
import type { Work } from '../database/transact.js';
import type { Unlocked } from './unlock.js';

const restart = 'restart this server with the new key';

/** Refuses writes with an outdated master key. A rotation waits for open writes, so a checked key stays valid. */
export class MasterKeyFence {
  readonly check: string;
  readonly #place: string;

  constructor({ check }: Unlocked, place: string) {
    this.check = check;
    this.#place = place;
  }

  guard<Result>(work: Work<Result>): Work<Result> {
    return async (transaction) => {
      await this.requireUnchanged(transaction);
      return work(transaction);
    };
  }

  async requireUnchanged(database: Kysely<Tables>): Promise<void> {
    this.requireCheck(await readSetting(database, 'master_key_check'));
  }

  requireCheck(check: string | undefined): void {
    if (check !== this.check)
      throw new StoreUnavailable(this.#place, `its master key was rotated; ${restart}`);
  }

  /** Names both causes, because telling them apart needs the stored check, which is not read here. */
  telling(cipher: Cipher): Cipher {
    return {
      seal: cipher.seal,
      open: (sealed, additionalData) => {
        try {
          return cipher.open(sealed, additionalData);
        } catch (error) {
          const causes = 'is damaged, or the master key was rotated';
          const reason = `${additionalData} ${causes}; if it was rotated, ${restart}`;
          throw new StoreUnavailable(this.#place, reason, { cause: error });
        }
      },
    };
  }
}
