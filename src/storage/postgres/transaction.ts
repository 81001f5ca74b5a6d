import { setTimeout } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { CommitUnconfirmed, OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import { advisoryLock } from './advisory-lock.js';
import type { PooledConnection, PostgresConnections, PostgresQuery } from './connection.js';

/** Milliseconds within which a restarting database should be back. */
const outcomePatience = 10_000;

const outcomePause = 100;

/** The database ends idle transactions, so that a hung server or lost machine does not keep its locks. */
const limits = 'set local idle_in_transaction_session_timeout = 10000; set local lock_timeout = 3000';

const beginQuery: PostgresQuery = { sql: `begin; ${limits}` };

/** Writers share the content lock. A transaction takes it before any row lock, to prevent deadlocks. */
const lockAndIdentify = {
  shared: identifying(`pg_advisory_xact_lock_shared(${advisoryLock.content})`),
  alone: identifying(`pg_advisory_xact_lock(${advisoryLock.content})`),
};

function identifying(lock: string): PostgresQuery {
  return { sql: `select pg_current_xact_id()::text as id, ${lock} as locked`, named: true };
}

export async function beginTransaction(connection: PooledConnection, alone = false): Promise<void> {
  const opening = [beginQuery, alone ? lockAndIdentify.alone : lockAndIdentify.shared];
  const [, identified] = await connection.executeTogether(opening);
  connection.transactionId = String(identified?.rows[0]?.['id']);
}

/** Needs no transaction ID, because it writes nothing. */
export async function beginSnapshot(connection: PooledConnection): Promise<void> {
  await connection.executeScript(`begin isolation level repeatable read, read only; ${limits}`);
}

/**
 * Finds the outcome of a commit without a response. "committed" is only probable: after a crash, a database can reuse
 * the ID of a transaction that it had not written.
 * @returns CommitUnconfirmed if probably committed, OutcomeUnknown if unknown, `lost` if not committed
 */
export async function findOutcome(
  transactionId: string,
  lost: StoreUnavailable,
  connections: PostgresConnections,
): Promise<StoreUnavailable | OutcomeUnknown> {
  const end = performance.now() + outcomePatience;
  for (;;) {
    const status = await findStatus(transactionId, connections);
    if (status === 'aborted') return lost;
    if (status === 'committed') return new CommitUnconfirmed(connections.place, lost);
    if (performance.now() >= end) return new OutcomeUnknown(connections.place, lost);
    await setTimeout(outcomePause);
  }
}

async function findStatus(
  transactionId: string,
  connections: PostgresConnections,
): Promise<'aborted' | 'committed' | undefined> {
  try {
    const connection = await connections.take();
    try {
      const question = { sql: 'select pg_xact_status($1::xid8) as status', parameters: [transactionId] };
      const [result] = await connection.executeTogether([question]);
      const status: unknown = result?.rows[0]?.['status'] ?? 'committed';
      return status === 'committed' || status === 'aborted' ? status : undefined;
    } finally {
      connection.release();
    }
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    // After a failover, the new server may not know the ID yet; the data then has to show the outcome.
    if (error instanceof DatabaseError) return 'committed';
    throw error;
  }
}
