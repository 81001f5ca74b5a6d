import type { ControlledTransaction, Kysely, Transaction } from 'kysely';
import { CommitUnconfirmed, OutcomeUnknown } from './store-unavailable.js';
import type { Tables } from './tables.js';

export type Work<Result> = (transaction: Transaction<Tables>) => Promise<Result>;

/** Checks in the data whether the work took effect; `undefined` if the data cannot show it. */
export type IsDone<Result> = (database: Kysely<Tables>, result: Result) => Promise<boolean | undefined>;

export interface TransactOptions<Result> {
  readonly alone?: boolean;
  /** Reads one state of a shared database, without locks that writers would wait for. */
  readonly snapshot?: boolean;
  readonly isDone?: IsDone<Result> | undefined;
}

/** Commits all or nothing. @throws OutcomeUnknown; after StoreUnavailable or an error of `work`, nothing was written */
export async function transact<Result>(
  database: Kysely<Tables>,
  work: Work<Result>,
  { isDone, ...options }: TransactOptions<Result> = {},
): Promise<Result> {
  const transaction = await begin(database, options);
  let result: { readonly value: Result } | undefined;
  try {
    result = { value: await work(transaction) };
    await transaction.commit().execute();
    return result.value;
  } catch (error) {
    // The rollback can fail, for example because SQLite has already rolled back.
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

function begin(
  database: Kysely<Tables>,
  { alone = false, snapshot = false }: Pick<TransactOptions<unknown>, 'alone' | 'snapshot'>,
): Promise<ControlledTransaction<Tables>> {
  const start = database.startTransaction();
  if (snapshot) return start.setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  return (alone ? start.setIsolationLevel('serializable') : start).execute();
}

/** @throws OutcomeUnknown if the data does not show it, or cannot be read for any reason */
async function wasDone(
  lost: CommitUnconfirmed,
  ask: (() => Promise<boolean | undefined>) | undefined,
): Promise<boolean> {
  const answer = await ask?.().catch(() => undefined);
  if (answer === undefined) throw new OutcomeUnknown(lost.place, lost);
  return answer;
}
