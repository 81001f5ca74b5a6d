import { Kysely, sql, type Transaction } from 'kysely';
import { expect, it } from 'vitest';
import type { Tables } from '../../src/storage/database/tables.js';
import { transact } from '../../src/storage/database/transact.js';
import { openPostgres } from '../../src/storage/postgres/engine.js';
import { useDatabase } from '../support/databases.js';

const database = useDatabase();

it.each([false, true])(
  'every transaction is limited in what it waits and keeps others waiting (alone: %j)',
  async (alone) => {
    const { dialect } = await openPostgres(await database.fresh());
    const own = new Kysely<Tables>({ dialect });
    const setting = (name: string) => sql<string>`current_setting(${name})`;
    try {
      const { rows } = await transact(
        own,
        (transaction) =>
          sql<{ idle: string; lock: string }>`select
          ${setting('idle_in_transaction_session_timeout')} as idle, ${setting('lock_timeout')} as lock`.execute(
            transaction,
          ),
        { alone, isDone: () => Promise.resolve(true) },
      );
      expect(rows).toEqual([{ idle: '10s', lock: '3s' }]);
    } finally {
      await own.destroy();
    }
  },
);

it('a snapshot has one state, can write nothing, and keeps nobody waiting', async () => {
  const { dialect } = await openPostgres(await database.fresh());
  const own = new Kysely<Tables>({ dialect });
  const insert = sql`insert into entries values (1)`;
  const count = sql`select count(*)::int as count from entries`;
  try {
    await sql`create table entries (a int)`.execute(own);
    const reading = async (snapshot: Transaction<Tables>) => {
      expect((await count.execute(snapshot)).rows).toEqual([{ count: 0 }]);
      await transact(own, (transaction) => insert.execute(transaction), { alone: true });
      expect((await count.execute(snapshot)).rows).toEqual([{ count: 0 }]);
    };
    await transact(own, reading, { snapshot: true });
    expect((await count.execute(own)).rows).toEqual([{ count: 1 }]);
    const writing = transact(own, (snapshot) => insert.execute(snapshot), { snapshot: true });
    await expect(writing).rejects.toThrow('read-only');
  } finally {
    await own.destroy();
  }
});

it('a transaction that fails leaves nothing behind, and its connection is good for the next', async () => {
  const { dialect } = await openPostgres(await database.fresh());
  const own = new Kysely<Tables>({ dialect });
  try {
    const failing = transact(own, async (transaction) => {
      await sql`create table left_behind (a int)`.execute(transaction);
      throw new Error('it failed');
    });
    await expect(failing).rejects.toThrow('it failed');
    const { rows } = await transact(own, (transaction) =>
      sql`select to_regclass('left_behind') as found`.execute(transaction),
    );
    expect(rows).toEqual([{ found: null }]);
  } finally {
    await own.destroy();
  }
});
