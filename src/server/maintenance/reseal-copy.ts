import { Kysely } from 'kysely';
import type { Tables } from '../../storage/database/tables.js';
import { transact } from '../../storage/database/transact.js';
import { startError } from '../../storage/engine/start-error.js';
import { type KeyChange, reseal } from '../../storage/rotate-master-key.js';
import { openSqlite } from '../../storage/sqlite/engine.js';

/** Re-encrypts a checked copy of the embedded database. @throws ConfigError if it is unreadable or unwritable */
export async function resealCopy(path: string, change: KeyChange, hint: string): Promise<void> {
  const engine = await openSqlite(path);
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    await transact(database, (transaction) => reseal(transaction, change), { alone: true });
  } catch (error) {
    throw startError(error, { hint });
  } finally {
    await database.destroy();
  }
}
