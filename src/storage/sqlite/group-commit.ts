import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { OutcomeUnknown, type Work } from '../engine.js';
import type { Tables } from '../tables.js';

/** Larger groups would delay their first writes. */
const groupSize = 256;

interface Connection {
  readonly database: Kysely<Tables>;
  readonly place: string;
  /** Runs a statement on the connection of `database`. */
  readonly run: (statement: string) => void;
  /** @throws StoreBroken if a commit would be lost */
  readonly requireFiles: () => void;
}

interface WaitingWrite {
  /** Returns a function that tells the writer; to be called once the changes are durable. */
  attempt(database: Kysely<Tables>): Promise<() => void>;
  reject(error: unknown): void;
}

/** Commits the writes that arrive during a commit together: a commit costs one disk flush, whatever its size. */
export function groupCommit(connection: Connection) {
  const waiting: WaitingWrite[] = [];
  let draining: Promise<void> | undefined;
  const drain = async () => {
    while (waiting.length > 0) {
      // Clients that have just got their responses may write again: lets those writes join this group.
      await setImmediate();
      await setImmediate();
      const group = waiting.splice(0, groupSize);
      await commit(group, connection).catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
    }
    draining = undefined;
  };
  return {
    /** @throws OutcomeUnknown if committed data may be lost; after any other error, nothing was written */
    write: <Result>(work: Work<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        const attempt = async (database: Kysely<Tables>) => {
          const result = await work(database);
          return () => resolve(result);
        };
        waiting.push({ attempt, reject });
        draining ??= drain();
      }),
    settled: async (): Promise<void> => draining,
  };
}

async function commit(
  group: readonly WaitingWrite[],
  { database, place, run, requireFiles }: Connection,
): Promise<void> {
  requireFiles();
  // Holds the only connection, so that no read sees uncommitted changes.
  const tellings = await database.connection().execute((own) => transact(own, group, run));
  try {
    requireFiles();
  } catch (error) {
    throw new OutcomeUnknown(place, error);
  }
  for (const tell of tellings) tell();
}

async function transact(
  database: Kysely<Tables>,
  group: readonly WaitingWrite[],
  run: (statement: string) => void,
): Promise<(() => void)[]> {
  /** `false` if SQLite has already rolled back, for example on a full disk. */
  const undo = (...statements: readonly string[]): boolean => {
    try {
      for (const statement of statements) run(statement);
      return true;
    } catch {
      return false;
    }
  };
  const attempt = async (write: WaitingWrite): Promise<() => void> => {
    run('savepoint write');
    try {
      const tell = await write.attempt(database);
      run('release write');
      return tell;
    } catch (error) {
      // Without a savepoint, the whole transaction is gone.
      if (!undo('rollback to write', 'release write')) throw error;
      return () => write.reject(error);
    }
  };
  const tellings: (() => void)[] = [];
  run('begin immediate');
  try {
    for (const write of group) tellings.push(await attempt(write));
    run('commit');
    return tellings;
  } catch (error) {
    undo('rollback');
    throw error;
  }
}
