import type { Driver, TransactionSettings } from 'kysely';
import { StoreUnavailable } from '../database/store-unavailable.js';
import type { PooledConnection, PostgresConnections } from './connection.js';
import { beginSnapshot, beginTransaction, findOutcome } from './transaction.js';

/** Begins a transaction in one round trip, and finds the outcome of a commit whose response was lost. */
export class PostgresDriver implements Driver {
  readonly #connections: PostgresConnections;

  constructor(connections: PostgresConnections) {
    this.#connections = connections;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  acquireConnection(): Promise<PooledConnection> {
    return this.#connections.take();
  }

  async beginTransaction(
    connection: PooledConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    if (accessMode === 'read only') await beginSnapshot(connection);
    else await beginTransaction(connection, isolationLevel === 'serializable');
  }

  /** @throws CommitUnconfirmed if probably committed, OutcomeUnknown if unknown, another error if not committed */
  async commitTransaction(connection: PooledConnection): Promise<void> {
    try {
      await connection.executeScript('commit');
    } catch (error) {
      const { transactionId } = connection;
      if (!(error instanceof StoreUnavailable) || transactionId === undefined) throw error;
      throw await findOutcome(transactionId, error, this.#connections);
    }
  }

  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await connection.executeScript('rollback');
  }

  releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release();
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#connections.end();
  }
}
