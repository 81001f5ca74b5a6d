import { Kysely, type Transaction } from 'kysely';
import { ConfigError } from '../errors/errors.js';
import { type Cipher, createCipher } from './database/cipher.js';
import { readSetting, writeSetting } from './database/settings.js';
import { resourceTables, type Tables } from './database/tables.js';
import { transact } from './database/transact.js';
import {
  additionalData,
  type SealedColumn,
  sealedColumns,
  sealedValues,
} from './encryption/sealed-columns.js';
import { type Opens, opensIn, sealCheck } from './encryption/unlock.js';
import type { Engine } from './engine/engine.js';
import { startError } from './engine/start-error.js';
import { prepareSchema } from './schema.js';

export interface KeyChange {
  readonly current: Uint8Array;
  readonly next: Uint8Array;
}

/** Chooses and stores keys while writers and other rotations are locked out. */
export interface KeyChanger {
  /** Chooses the next key and stores it durably; `undefined` if there is nothing to do. */
  begin(opens: Opens): Promise<KeyChange | undefined>;
  end(opens: Opens): Promise<void>;
}

/** How many values were re-encrypted; 0 if an earlier run had already done so. */
export type Rotation = Readonly<Record<keyof typeof sealedColumns, number>>;

/** Re-encrypts all values or none. @throws ConfigError if data is inaccessible or unencrypted, or no key opens it */
export async function resealDatabase(engine: Engine, changer: KeyChanger): Promise<Rotation> {
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    await prepareSchema(database, engine);
    return await engine.alone(async () => {
      const rotation = await resealAll(database, changer);
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

async function resealAll(database: Kysely<Tables>, changer: KeyChanger): Promise<Rotation> {
  let next: Uint8Array | undefined;
  const work = async (transaction: Transaction<Tables>) => {
    if ((await readSetting(transaction, 'master_key_check')) === undefined) {
      throw new ConfigError('there is no encrypted data');
    }
    const opens = await opensIn(transaction);
    // A crashed rotation has been committed or rolled back by now.
    const change = await changer.begin(opens);
    if (change === undefined) return { apiKeys: 0, connections: 0 };
    if (!opens(change.current)) throw neitherOpens();
    next = change.next;
    return reseal(transaction, change);
  };
  const isDone = async () => next === undefined || (await opensIn(database))(next);
  return transact(database, work, { alone: true, isDone });
}

export function neitherOpens(): ConfigError {
  return new ConfigError('neither master key decrypts the data', {
    hint: 'restore the master.key that encrypted it, or give that key as the master key',
  });
}

/** Re-encrypts everything in an exclusive transaction. @throws Error if the current key does not open a value */
export async function reseal(
  transaction: Transaction<Tables>,
  { current, next }: KeyChange,
): Promise<Rotation> {
  const [from, to] = [createCipher(current), createCipher(next)];
  const rotation = {
    apiKeys: await resealColumn(transaction, sealedColumns.apiKeys, from, to),
    connections: await resealColumn(transaction, sealedColumns.connections, from, to),
  };
  await writeSetting(transaction, 'master_key_check', sealCheck(to));
  return rotation;
}

async function resealColumn(
  transaction: Transaction<Tables>,
  column: SealedColumn,
  from: Cipher,
  to: Cipher,
): Promise<number> {
  let count = 0;
  for await (const { id, sealed } of sealedValues(transaction, column)) {
    const data = additionalData(column, id);
    const changed = { [column.column]: to.seal(from.open(sealed, data), data) };
    await resourceTables(transaction).updateTable(column.table).set(changed).where('id', '=', id).execute();
    count += 1;
  }
  return count;
}
