import type { Kysely, Transaction } from 'kysely';
import { CommitUnconfirmed, OutcomeUnknown, StoreUnavailable } from './store-unavailable.js';
import type { Tables } from './tables.js';

/** Part of a transaction, or all of it. */
export type Work<Result> = (transaction: Transaction<Tables>) => Promise<Result>;

/** Whether the data shows that a piece of work was done; asked when the answer to its commit was lost. */
export type IsDone = (database: Kysely<Tables>) => Promise<boolean>;

export interface TransactOptions {
  /** Whether no other transaction may run beside it. */
  readonly alone?: boolean;
  /** Without it, work whose commit was not answered counts as not done. */
  readonly isDone?: IsDone | undefined;
}

/** Does the work in a transaction, whole or not at all. What went wrong is thrown, also when undoing it fails too. */
export async function transact<Result>(
  database: Kysely<Tables>,
  work: Work<Result>,
  { alone = false, isDone }: TransactOptions = {},
): Promise<Result> {
  const begin = database.startTransaction();
  const transaction = await (alone ? begin.setIsolationLevel('serializable') : begin).execute();
  let result: { readonly value: Result } | undefined;
  try {
    result = { value: await work(transaction) };
    await transaction.commit().execute();
    return result.value;
  } catch (error) {
    // A database that failed may have given up the transaction by itself, so that there is nothing to undo.
    await transaction
      .rollback()
      .execute()
      .catch(() => undefined);
    if (!(error instanceof CommitUnconfirmed) || !result || !isDone) throw error;
    if (await confirmed(database, isDone, error)) return result.value;
    throw error;
  }
}

async function confirmed(
  database: Kysely<Tables>,
  isDone: IsDone,
  lost: CommitUnconfirmed,
): Promise<boolean> {
  try {
    return await isDone(database);
  } catch (error) {
    throw error instanceof StoreUnavailable ? new OutcomeUnknown('the database', lost) : error;
  }
}
