import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, type Driver, type TransactionSettings } from 'kysely';
import type { Pool } from 'pg';
import { OutcomeUnknown, StoreUnavailable } from '../store-unavailable.js';
import { advisoryLock } from './advisory-lock.js';
import { PooledConnection } from './connection.js';

const rollback = CompiledQuery.raw('rollback');
const commit = CompiledQuery.raw('commit');

/** Milliseconds for which an outcome is asked for: a database that restarts is back by then. */
const patience = 10_000;

/** Milliseconds between two questions. */
const pause = 100;

/**
 * Transactions as this program needs them, on a pool. Each is begun with one message, and a commit whose answer is lost
 * is asked after: whether it was done is what the client has to be told.
 */
export class PostgresDriver implements Driver {
  readonly #pool: Pool;
  readonly #place: string;

  constructor(pool: Pool, place: string) {
    this.#pool = pool;
    this.#place = place;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<PooledConnection> {
    return PooledConnection.take(this.#pool, this.#place);
  }

  async beginTransaction(
    connection: PooledConnection,
    { isolationLevel }: TransactionSettings,
  ): Promise<void> {
    const [row] = await connection.executeScript(isolationLevel === 'serializable' ? beginAlone : begin);
    connection.transactionId = String(row?.['id']);
  }

  /**
   * @throws StoreUnavailable when nothing was committed, and OutcomeUnknown when it cannot be learnt whether something
   * was.
   */
  async commitTransaction(connection: PooledConnection): Promise<void> {
    try {
      await connection.executeQuery(commit);
    } catch (error) {
      const { transactionId } = connection;
      if (!(error instanceof StoreUnavailable) || transactionId === undefined) throw error;
      await this.#settle(transactionId, error);
    }
  }

  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await connection.executeQuery(rollback);
  }

  releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release();
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }

  /** Returns when the transaction is known to be committed. */
  async #settle(transactionId: string, lost: StoreUnavailable): Promise<void> {
    const end = performance.now() + patience;
    for (;;) {
      const status = await this.#statusOf(transactionId);
      if (status === 'committed') return;
      if (status === 'aborted') throw lost;
      if (performance.now() >= end) throw new OutcomeUnknown(this.#place, lost);
      await setTimeout(pause);
    }
  }

  /** `undefined` when the database does not tell. */
  async #statusOf(transactionId: string): Promise<unknown> {
    try {
      const connection = await this.acquireConnection();
      try {
        const question = CompiledQuery.raw('select pg_xact_status($1::xid8) as status', [transactionId]);
        const { rows } = await connection.executeQuery<{ status: unknown }>(question);
        return rows[0]?.status;
      } finally {
        connection.release();
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) return undefined;
      throw error;
    }
  }
}

/**
 * A server that hangs, or whose machine is gone without a word, must not keep the locks of its transaction: the
 * database ends one that waits for its next statement for long. Every writer shares a lock with all others, and who
 * replaces everything takes it alone; taken with the first message, it cannot meet row locks crosswise.
 */
const limits = 'set local idle_in_transaction_session_timeout = 10000; set local lock_timeout = 3000';
const identify = 'select pg_current_xact_id()::text as id';
const begin = `begin; ${limits}; select pg_advisory_xact_lock_shared(${advisoryLock.content}); ${identify}`;
const beginAlone = `begin; ${limits}; select pg_advisory_xact_lock(${advisoryLock.content}); ${identify}`;
