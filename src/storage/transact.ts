import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** Part of a transaction, or all of it. */
export type Work<Result> = (transaction: Transaction<Tables>) => Promise<Result>;

/**
 * Does the work in a transaction, whole or not at all. What went wrong is thrown, also when undoing it fails too.
 * @param alone whether no other transaction may run beside it
 */
export async function transact<Result>(
  database: Kysely<Tables>,
  work: Work<Result>,
  alone = false,
): Promise<Result> {
  const begin = database.startTransaction();
  const transaction = await (alone ? begin.setIsolationLevel('serializable') : begin).execute();
  try {
    const result = await work(transaction);
    await transaction.commit().execute();
    return result;
  } catch (error) {
    // A database that failed may have given up the transaction by itself, so that there is nothing to undo.
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}
