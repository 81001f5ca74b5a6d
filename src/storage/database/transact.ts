import type { Kysely, Transaction } from 'kysely';
import { CommitUnconfirmed, OutcomeUnknown, StoreUnavailable } from './store-unavailable.js';
import type { Tables } from './tables.js';

/** Part of a transaction, or all of it. */
export type Work<Result> = (transaction: Transaction<Tables>) => Promise<Result>;

/**
 * Whether the data shows that a piece of work with this result was done; asked when the answer to its commit was lost.
 * `undefined` when the data does not tell.
 */
export type IsDone<Result> = (database: Kysely<Tables>, result: Result) => Promise<boolean | undefined>;

export interface TransactOptions<Result> {
  /** Whether no other transaction may run beside it. */
  readonly alone?: boolean;
  /** Without it, nobody knows of work whose commit was not answered whether it was done. */
  readonly isDone?: IsDone<Result> | undefined;
}

/**
 * Does the work in a transaction, whole or not at all. What went wrong is thrown, also when undoing it fails too.
 * @throws OutcomeUnknown when it cannot be told whether it was done; with every other error, it was not.
 */
export async function transact<Result>(
  database: Kysely<Tables>,
  work: Work<Result>,
  { alone = false, isDone }: TransactOptions<Result> = {},
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
    if (!(error instanceof CommitUnconfirmed) || !result) throw error;
    const { value } = result;
    if (await wasDone(error, isDone && (() => isDone(database, value)))) return value;
    throw error;
  }
}

/** @throws OutcomeUnknown when nobody can tell. */
async function wasDone(
  lost: CommitUnconfirmed,
  ask: (() => Promise<boolean | undefined>) | undefined,
): Promise<boolean> {
  const answer = await ask?.().catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  });
  if (answer === undefined) throw new OutcomeUnknown(lost.place, lost);
  return answer;
}
