import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import { OutcomeUnknown, StoreBroken } from '../database/store-unavailable.js';
import type { Tables } from '../database/tables.js';
import { transact, type Work } from '../database/transact.js';
import type { CommitWatch } from '../engine/engine.js';
import { Gathering } from '../engine/gathering.js';

interface Write {
  attempt(transaction: Transaction<Tables>, attempt: AttemptWork): Promise<() => void>;
  reject(error: unknown): void;
}

type AttemptWork = <Result>(
  transaction: Transaction<Tables>,
  work: Work<Result>,
) => Promise<WorkOutcome<Result>>;

/** Each write succeeds only once the common commit is on disk. Work may run twice, but takes effect at most once. */
export class GroupCommit {
  readonly #database: Kysely<Tables>;
  readonly #watch: CommitWatch | undefined;
  readonly #writes = new Gathering<Write>((group) => this.#commit(group));

  constructor(database: Kysely<Tables>, watch?: CommitWatch) {
    this.#database = database;
    this.#watch = watch;
  }

  /** @throws OutcomeUnknown if committed data may be lost; after an error of `work` or the commit, nothing was written */
  run<Result>(work: Work<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#writes.add({
        reject,
        async attempt(transaction, attempt) {
          const outcome = await attempt(transaction, work);
          return () => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result));
        },
      });
    });
  }

  settled(): Promise<void> {
    return this.#writes.settled();
  }

  async #commit(group: readonly Write[]): Promise<void> {
    try {
      await this.#commitBy(withinAll, group);
    } catch (error) {
      if (group.length === 1 || error instanceof StoreBroken) return rejectAll(group, error);
      await this.#commitBy(withinSavepoint, group).catch((failure: unknown) => rejectAll(group, failure));
    }
  }

  async #commitBy(attempt: AttemptWork, group: readonly Write[]): Promise<void> {
    this.#watch?.before();
    const tellings = await transact(this.#database, async (transaction) => {
      const done: (() => void)[] = [];
      for (const write of group) done.push(await write.attempt(transaction, attempt));
      return done;
    });
    try {
      this.#watch?.after();
    } catch (error) {
      // Not retried: the group is committed, but may be lost.
      return rejectAll(group, error instanceof StoreBroken ? new OutcomeUnknown(error.place, error) : error);
    }
    for (const tell of tellings) tell();
  }
}

function rejectAll(group: readonly Write[], error: unknown): void {
  for (const write of group) write.reject(error);
}

type WorkOutcome<Result> = { readonly result: Result } | { readonly error: unknown };

const savepoint = CompiledQuery.raw('savepoint write_of_group');
const release = CompiledQuery.raw('release write_of_group');
const undo = CompiledQuery.raw('rollback to write_of_group');

/** Omits savepoints, which would double a creation's statements: only the retry after a failure needs them. */
async function withinAll<Result>(
  transaction: Transaction<Tables>,
  work: Work<Result>,
): Promise<WorkOutcome<Result>> {
  return { result: await work(transaction) };
}

async function withinSavepoint<Result>(
  transaction: Transaction<Tables>,
  work: Work<Result>,
): Promise<WorkOutcome<Result>> {
  await transaction.executeQuery(savepoint);
  const outcome = await work(transaction).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) await transaction.executeQuery(undo).catch(() => Promise.reject(outcome.error));
  await transaction.executeQuery(release);
  return outcome;
}
