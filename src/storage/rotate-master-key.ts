import { Kysely, type Transaction } from 'kysely';
import { ConfigError } from '../errors.js';
import { placeOfSecret } from './api-keys.js';
import { type Cipher, createCipher } from './cipher.js';
import { placeOfConfig } from './connections.js';
import type { Engine } from './engine.js';
import { migrate } from './migrate.js';
import { readSetting, writeSetting } from './settings.js';
import { startError } from './start-error.js';
import type { Tables } from './tables.js';
import { transact } from './transact.js';
import { type Opens, opensIn, sealCheck } from './unlock.js';

/** Two master keys, each 32 bytes. */
export interface KeyChange {
  readonly current: Uint8Array;
  readonly next: Uint8Array;
}

/** Decides on the keys, and keeps them. Both are called while nobody else can write, or change the key. */
export interface KeyChanger {
  /** The keys to go from and to, the next one where it is not lost any more; `undefined` when there is nothing to do. */
  begin(opens: Opens): Promise<KeyChange | undefined>;
  /** The data has the next key now, for good. */
  end(opens: Opens): Promise<void>;
}

/** How much was encrypted anew; nothing when an earlier run had done it. */
export interface Rotation {
  readonly apiKeys: number;
  readonly connections: number;
}

/**
 * Encrypts everything with another master key, in one transaction: whenever it is interrupted, all is still encrypted
 * with the one key or already with the other, and it can be run again. Nobody writes meanwhile.
 * @throws ConfigError when neither key fits, or the data cannot be read or written.
 */
export async function rotateMasterKey(engine: Engine, changer: KeyChanger): Promise<Rotation> {
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    await migrate(database, engine);
    return await engine.alone(async () => {
      const rotation = await rotate(database, changer);
      await transact(database, async (transaction) => changer.end(await opensIn(transaction)), {
        alone: true,
      });
      return rotation;
    });
  } catch (error) {
    throw startError(error, engine);
  } finally {
    await database.destroy();
  }
}

async function rotate(database: Kysely<Tables>, changer: KeyChanger): Promise<Rotation> {
  let next: Uint8Array | undefined;
  const work = async (transaction: Transaction<Tables>) => {
    if ((await readSetting(transaction, 'master_key_check')) === undefined) {
      throw new ConfigError('there is no data that a master key encrypts');
    }
    const opens = await opensIn(transaction);
    // Only here does nobody else change the key: what a change that died had to commit is committed.
    const change = await changer.begin(opens);
    if (change === undefined) return { apiKeys: 0, connections: 0 };
    if (!opens(change.current)) throw neitherOpens();
    next = change.next;
    return reseal(transaction, change);
  };
  const isDone = async () => next === undefined || (await opensIn(database))(next);
  return transact(database, work, { alone: true, isDone });
}

/** The error for data that was encrypted with another key than those that there are. */
export function neitherOpens(): ConfigError {
  return new ConfigError('the data was encrypted with neither of the two master keys', {
    hint: 'restore the master.key it was made with, or set ORGCTL_SERVE_MASTER_KEY to that key',
  });
}

async function reseal(transaction: Transaction<Tables>, { current, next }: KeyChange): Promise<Rotation> {
  const [from, to] = [createCipher(current), createCipher(next)];
  const apiKeys = await resealSecrets(transaction, from, to);
  const connections = await resealConfigs(transaction, from, to);
  await writeSetting(transaction, 'master_key_check', sealCheck(to));
  return { apiKeys, connections };
}

/** Rows that are in memory at once. */
const batchSize = 500;

/** Answers how many there are. */
async function resealSecrets(transaction: Transaction<Tables>, from: Cipher, to: Cipher): Promise<number> {
  const query = transaction.selectFrom('api_keys').select(['id', 'secret']).orderBy('id').limit(batchSize);
  const after = (id: string) => query.where('id', '>', id).execute();
  let count = 0;
  for (let rows = await after(''); rows.length > 0; rows = await after(rows.at(-1)?.id ?? '')) {
    for (const { id, secret } of rows) {
      const sealed = to.seal(from.open(secret, placeOfSecret(id)), placeOfSecret(id));
      await transaction.updateTable('api_keys').set({ secret: sealed }).where('id', '=', id).execute();
    }
    count += rows.length;
  }
  return count;
}

/** Answers how many there are. */
async function resealConfigs(transaction: Transaction<Tables>, from: Cipher, to: Cipher): Promise<number> {
  const query = transaction.selectFrom('connections').select(['id', 'config']).orderBy('id').limit(batchSize);
  const after = (id: string) => query.where('id', '>', id).execute();
  let count = 0;
  for (let rows = await after(''); rows.length > 0; rows = await after(rows.at(-1)?.id ?? '')) {
    for (const { id, config } of rows) {
      const sealed = to.seal(from.open(config, placeOfConfig(id)), placeOfConfig(id));
      await transaction.updateTable('connections').set({ config: sealed }).where('id', '=', id).execute();
    }
    count += rows.length;
  }
  return count;
}
