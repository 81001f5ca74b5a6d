import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, type QueryResult } from 'kysely';
import { StoreUnavailable } from '../database/store-unavailable.js';

/**
 * The advisory locks of a database, all held to the end of a transaction, never of a session: a pooler between server
 * and database may hand sessions around. The numbers are arbitrary; other programs have other ones.
 */
export const advisoryLock = {
  /** Shared by writers, exclusive for what reads or replaces everything. */
  content: 7_205_759_001,
  /** Held by who migrates. */
  schema: 7_205_759_002,
  /** Held by a server while it looks for what an earlier one left. */
  start: 7_205_759_003,
} as const;

/** Milliseconds between two tries. */
const lockPause = 50;

/** Tries until it is given up: two minutes. */
const tries = 2400;

/**
 * Takes a lock until the transaction ends in which `ask` asks. It asks again and again instead of once for long: what
 * another server does at its start may take longer than any query has time for.
 * @throws StoreUnavailable when somebody else keeps it for minutes.
 */
export async function hold(
  lock: number,
  ask: (query: CompiledQuery<{ held: boolean }>) => Promise<QueryResult<{ held: boolean }>>,
): Promise<void> {
  const query = CompiledQuery.raw(`select pg_try_advisory_xact_lock(${lock}) as held`);
  for (let turn = 0; turn < tries; turn += 1) {
    const { rows } = await ask(query);
    if (rows[0]?.held) return;
    await setTimeout(lockPause);
  }
  throw new StoreUnavailable('the database', 'another server has been starting there for minutes');
}
