import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, type QueryResult } from 'kysely';
import { StoreUnavailable } from '../database/store-unavailable.js';

/** Arbitrary numbers for advisory locks. The locks last for a transaction, because a pooler may share sessions. */
export const advisoryLock = {
  /** Shared by writers; exclusive for work on all content. */
  content: 7_205_759_001,
  schema: 7_205_759_002,
  start: 7_205_759_003,
} as const;

const lockPause = 50;

const tries = 2400;

/** Polls, because another server may hold the lock for longer than a query's time limit. @throws StoreUnavailable */
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
  throw new StoreUnavailable('the database', 'another server has held the start-up lock for two minutes');
}
