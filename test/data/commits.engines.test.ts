import { CompiledQuery, type Kysely } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import type { Tables } from '../../src/storage/tables.js';
import { useStores } from './support/open-store.js';

const stores = useStores();

/** Asks the very connection that the store works with. */
async function asking<Result>(ask: (database: Kysely<Tables>) => Promise<Result>): Promise<Result> {
  const place = await stores.place();
  await (await stores.open(place)).close();
  const engine = await stores.engine(place);
  try {
    return await ask(engine.database);
  } finally {
    await engine.close();
  }
}

describe('the connection of a store', () => {
  it.runIf(inject('engine') === 'embedded')(
    'has every commit on the disk, and keeps others out',
    async () => {
      const pragma = (name: string) =>
        asking(async (database) => {
          const { rows } = await database.executeQuery<Record<string, unknown>>(
            CompiledQuery.raw(`pragma ${name}`),
          );
          return rows[0]?.[name];
        });
      // 2 is FULL: with less, a power cut takes back what was acknowledged.
      expect(await pragma('synchronous')).toBe(2);
      expect(await pragma('journal_mode')).toBe('wal');
      expect(await pragma('locking_mode')).toBe('exclusive');
      expect(await pragma('foreign_keys')).toBe(1);
    },
  );

  it.runIf(inject('engine') === 'postgresql')('has every commit on the disk', async () => {
    const setting = await asking(async (database) => {
      const query = CompiledQuery.raw('show synchronous_commit');
      return (await database.executeQuery<{ synchronous_commit: string }>(query)).rows;
    });
    expect(setting).toEqual([{ synchronous_commit: expect.stringMatching(/^(on|remote_apply)$/) }]);
  });

  it.runIf(inject('engine') === 'postgresql')('waits for no lock, and keeps none, for long', async () => {
    const setting = await asking(async (database) => {
      const query = CompiledQuery.raw(
        "select current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle",
      );
      return (await database.executeQuery(query)).rows;
    });
    expect(setting).toEqual([{ lock: '3s', idle: '10s' }]);
  });
});
