import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, type Driver, type TransactionSettings } from 'kysely';
import { DatabaseError, type Pool } from 'pg';
import { CommitUnconfirmed, OutcomeUnknown, StoreUnavailable } from '../store-unavailable.js';
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
   * @throws StoreUnavailable when nothing was committed, CommitUnconfirmed when it seems that everything was, and
   * OutcomeUnknown when that cannot be learnt.
   */
  async commitTransaction(connection: PooledConnection): Promise<void> {
    try {
      await connection.executeQuery(commit);
    } catch (error) {
      const { transactionId } = connection;
      if (!(error instanceof StoreUnavailable) || transactionId === undefined) throw error;
      throw await this.#outcome(transactionId, error);
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

  /**
   * What became of a transaction whose commit was not answered. That it is committed is no more than likely: a database
   * that crashed gives the number of a transaction of which it wrote nothing to another one.
   */
  async #outcome(transactionId: string, lost: StoreUnavailable): Promise<Error> {
    const end = performance.now() + patience;
    for (;;) {
      const status = await this.#statusOf(transactionId);
      if (status === 'aborted') return lost;
      if (status === 'committed') return new CommitUnconfirmed(this.#place, lost);
      if (performance.now() >= end) return new OutcomeUnknown(this.#place, lost);
      await setTimeout(pause);
    }
  }

  /** `undefined` when the database does not tell, or the transaction still runs. */
  async #statusOf(transactionId: string): Promise<'aborted' | 'committed' | undefined> {
    try {
      const connection = await this.acquireConnection();
      try {
        const question = CompiledQuery.raw('select pg_xact_status($1::xid8) as status', [transactionId]);
        const { rows } = await connection.executeQuery<{ status: string | null }>(question);
        const status = rows[0]?.status ?? 'committed';
        return status === 'committed' || status === 'aborted' ? status : undefined;
      } finally {
        connection.release();
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) return undefined;
      // Another server took over, which knows no such number yet.
      if (error instanceof DatabaseError) return 'committed';
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
