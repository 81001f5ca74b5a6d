import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.js';

export interface RateLimit {
  readonly requests: number;
  /** In milliseconds. */
  readonly window: number;
}

export type RateWindows = ReturnType<typeof rateWindows>;

export function rateWindows(database: Kysely<Tables>) {
  return {
    /**
     * Counts a request if the window has room. A window in the near future, of a server whose clock is ahead, counts as
     * current. @param now milliseconds since the epoch @returns milliseconds to wait; `undefined` if admitted
     */
    async admit(keyId: string, { requests, window }: RateLimit, now: number): Promise<number | undefined> {
      const isCurrent = sql<boolean>`abs(excluded.started_at - counted.started_at) < ${window}`;
      const { rows } = await sql<{ requests: number }>`
      insert into rate_windows as counted (key_id, started_at, requests) values (${keyId}, ${now}, 1)
      on conflict (key_id) do update set
        started_at = case when ${isCurrent} then counted.started_at else excluded.started_at end,
        requests = case when ${isCurrent} then counted.requests + 1 else 1 end
      where not ${isCurrent} or counted.requests < ${requests}
      returning requests`.execute(database);
      if (rows.length > 0) return undefined;
      const counted = database.selectFrom('rate_windows').select('started_at').where('key_id', '=', keyId);
      return ((await counted.executeTakeFirst())?.started_at ?? now - window) + window - now;
    },

    async reset(): Promise<void> {
      await database.deleteFrom('rate_windows').execute();
    },
  };
}
