import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { OutcomeUnknown } from '../database/store-unavailable.js';
import type { Tables } from '../database/tables.js';
import type { Work } from '../engine/engine.js';

/** Larger groups would delay their first writes. */
const groupSize = 256;

interface WaitingWrite {
  attempt(database: Kysely<Tables>): Promise<() => void>;
  reject(error: unknown): void;
}

export interface GroupCommitOptions {
  readonly database: Kysely<Tables>;
  readonly place: string;
  /** Runs a statement on the connection of `database`. */
  readonly run: (statement: string) => void;
  /** @throws StoreBroken if a commit would be lost */
  readonly requireFiles: () => void;
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
      this.#waiting.push({
        reject,
        attempt: async (database) => {
          const outcome = await this.#withinSavepoint(() => work(database));
          return () => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result));
        },
      });
      this.#draining ??= this.#drain();
    });
  }

  async settled(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Lets the previous group's responses go out and new requests come in, so that their writes join this group.
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
      throw error instanceof Error ? new OutcomeUnknown(place, error) : error;
    }
    for (const tell of tellings) tell();
  }

  async #transact(database: Kysely<Tables>, group: readonly WaitingWrite[]): Promise<(() => void)[]> {
    const { run } = this.#options;
    run('begin immediate');
    try {
      const tellings: (() => void)[] = [];
      for (const write of group) tellings.push(await write.attempt(database));
      run('commit');
      return tellings;
    } catch (error) {
      try {
        run('rollback');
      } catch {
        // SQLite has already rolled back, for example on a full disk.
      }
      throw error;
    }
  }

  async #withinSavepoint<Result>(
    work: () => Promise<Result>,
  ): Promise<{ result: Result } | { error: unknown }> {
    const { run } = this.#options;
    run('savepoint write');
    try {
      const result = await work();
      run('release write');
      return { result };
    } catch (error) {
      try {
        run('rollback to write');
        run('release write');
      } catch {
        // The whole transaction is gone.
        throw error;
      }
      return { error };
    }
  }
}
