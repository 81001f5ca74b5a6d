import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { OutcomeUnknown, type Work } from '../engine.js';
import type { Tables } from '../tables.js';

/** Larger groups would delay their first writes. */
const groupSize = 256;

interface GroupCommitOptions {
  readonly database: Kysely<Tables>;
  readonly place: string;
  /** Runs a statement on the connection of `database`. */
  readonly run: (statement: string) => void;
  /** @throws StoreBroken if a commit would be lost */
  readonly requireFiles: () => void;
}

interface WaitingWrite {
  /** @returns tells the writer, once the changes are durable */
  attempt(database: Kysely<Tables>): Promise<() => void>;
  reject(error: unknown): void;
}

/** Commits the writes that arrive during a commit together: a commit costs one disk flush, whatever its size. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: WaitingWrite[] = [];
  #draining: Promise<void> | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** @throws OutcomeUnknown if committed data may be lost; after any other error, nothing was written */
  write<Result>(work: Work<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const attempt = (database: Kysely<Tables>) => this.#attempt(database, work, resolve, reject);
      this.#waiting.push({ attempt, reject });
      this.#draining ??= this.#drain();
    });
  }

  async settled(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Lets writes of requests that wait for the previous group's responses join this group.
      await setImmediate();
      await setImmediate();
      const group = this.#waiting.splice(0, groupSize);
      await this.#commit(group).catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
    }
    this.#draining = undefined;
  }

  async #commit(group: readonly WaitingWrite[]): Promise<void> {
    const { database, place, requireFiles } = this.#options;
    requireFiles();
    // Holds the only connection, so that no read sees uncommitted changes.
    const tellings = await database.connection().execute((connection) => this.#transact(connection, group));
    try {
      requireFiles();
    } catch (error) {
      throw new OutcomeUnknown(place, error);
    }
    for (const tell of tellings) tell();
  }

  async #transact(database: Kysely<Tables>, group: readonly WaitingWrite[]): Promise<(() => void)[]> {
    const tellings: (() => void)[] = [];
    this.#options.run('begin immediate');
    try {
      for (const write of group) tellings.push(await write.attempt(database));
      this.#options.run('commit');
      return tellings;
    } catch (error) {
      this.#undo('rollback');
      throw error;
    }
  }

  async #attempt<Result>(
    database: Kysely<Tables>,
    work: Work<Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ): Promise<() => void> {
    this.#options.run('savepoint write');
    try {
      const result = await work(database);
      this.#options.run('release write');
      return () => resolve(result);
    } catch (error) {
      // Without a savepoint, the whole transaction is gone.
      if (!this.#undo('rollback to write', 'release write')) throw error;
      return () => reject(error);
    }
  }

  /** @returns whether it succeeded: SQLite may have rolled back already, for example on a full disk */
  #undo(...statements: readonly string[]): boolean {
    try {
      for (const statement of statements) this.#options.run(statement);
      return true;
    } catch {
      return false;
    }
  }
}
