import { OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import { advisoryLock, hold } from './advisory-lock.js';
import type { PooledConnection, PostgresConnections } from './connection.js';

/** A machine that vanishes must not block all other starts for longer than a minute. */
const beginLock = 'begin; set local idle_in_transaction_session_timeout = 60000';

/** Milliseconds between queries that keep the lock's transaction from being idle for too long. */
const renewal = 20_000;

/**
 * Runs work that only one server may do at a time. The lock has its own transaction, because the work uses several.
 * @throws OutcomeUnknown if the work was done, but the lock was lost meanwhile
 */
export async function holdingStartLock<Result>(
  connections: PostgresConnections,
  work: () => Promise<Result>,
): Promise<Result> {
  const connection = await connections.take();
  const unlock = () => connection.executeScript('rollback');
  try {
    await connection.executeScript(beginLock);
    await hold(advisoryLock.start, (query) => connection.executeQuery(query));
    const result = await renewing(connection, work);
    await unlock().catch((cause: unknown) => Promise.reject(lockLost(connections.place, cause)));
    return result;
  } catch (error) {
    await unlock().catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}

async function renewing<Result>(connection: PooledConnection, work: () => Promise<Result>): Promise<Result> {
  // The final rollback reports a lost connection.
  const renew = () => void connection.executeScript('select 1').catch(() => undefined);
  const timer = setInterval(renew, renewal);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

function lockLost(place: string, cause: unknown): OutcomeUnknown {
  return new OutcomeUnknown(place, new StoreUnavailable(place, 'the start-up lock was lost', { cause }));
}
