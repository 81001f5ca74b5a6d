import { setTimeout } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { CommitUnconfirmed, OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import { advisoryLock } from './advisory-lock.js';
import type { PooledConnection, PostgresConnections, PostgresQuery } from './connection.js';

/** Milliseconds for which an outcome is asked for: a database that restarts is back by then. */
const outcomePatience = 10_000;

/** Milliseconds between two questions. */
const outcomePause = 100;

/**
 * A server that hangs, or whose machine is gone without a word, must not keep the locks of its transaction: the
 * database ends one that waits for its next statement for long.
 */
const beginQuery: PostgresQuery = {
  sql: 'begin; set local idle_in_transaction_session_timeout = 10000; set local lock_timeout = 3000',
};

/**
 * Every writer shares a lock with all others, and who replaces everything takes it alone; taken with the first message,
 * it cannot meet row locks crosswise.
 */
const lockAndIdentify = {
  shared: identifying(`pg_advisory_xact_lock_shared(${advisoryLock.content})`),
  alone: identifying(`pg_advisory_xact_lock(${advisoryLock.content})`),
};

function identifying(lock: string): PostgresQuery {
  return { sql: `select pg_current_xact_id()::text as id, ${lock} as locked`, named: true };
}

/** Begins a transaction, with one message. */
export async function beginTransaction(connection: PooledConnection, alone = false): Promise<void> {
  const opening = [beginQuery, alone ? lockAndIdentify.alone : lockAndIdentify.shared];
  const [, identified] = await connection.executeTogether(opening);
  connection.transactionId = String(identified?.rows[0]?.['id']);
}

/**
 * What became of a transaction whose commit was not answered: StoreUnavailable when nothing was committed, CommitUnconfirmed
 * when it seems that everything was, and OutcomeUnknown when that cannot be learnt. That it is committed is no more than
 * likely: a database that crashed gives the number of a transaction of which it wrote nothing to another one.
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

/** `undefined` when the database does not tell, or the transaction still runs. */
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
    // Another server took over, which knows no such number yet.
    if (error instanceof DatabaseError) return 'committed';
    throw error;
  }
}
