import { Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { type LogEntry, startServer } from '../../src/server/index.js';
import type { Tables } from '../../src/storage/database/tables.js';
import { transact } from '../../src/storage/database/transact.js';
import { openPostgres } from '../../src/storage/postgres/engine.js';
import { Caller } from '../server/support/caller.js';
import { masterKey } from '../server/support/start.js';
import { useDatabase } from '../support/databases.js';
import { CuttingProxy } from './support/cutting-proxy.js';

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

it('a lock is waited for no longer than the limit, which the log names', async () => {
  const url = await database.fresh();
  const log: LogEntry[] = [];
  const server = await startServer({
    http: true,
    database: url,
    masterKey,
    onLog: (entry) => log.push(entry),
  });
  const locker = new Client({ connectionString: url });
  await locker.connect();
  try {
    await locker.query('begin; select from quotas for update');
    const caller = new Caller(server);
    const answer = await caller.send('POST', '/teams', { body: { name: 'a' } });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    const message = expect.stringContaining('canceling statement due to lock timeout');
    expect(log).toContainEqual(expect.objectContaining({ event: 'error', message }));
    await locker.query('rollback');
    expect((await caller.send('GET', '/teams')).json).toMatchObject({ total: 0 });
    expect((await caller.send('POST', '/teams', { body: { name: 'a' } })).status).toBe(201);
  } finally {
    await locker.end();
    await server.close();
  }
});

it('the transaction that keeps other servers from starting is told its limit with the first message', async () => {
  const url = new URL(await database.fresh());
  const proxy = await CuttingProxy.open(Number(url.port));
  url.port = String(proxy.port);
  url.searchParams.set('sslmode', 'disable');
  const engine = await openPostgres(url.href);
  const own = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    await engine.alone(() => Promise.resolve());
    expect(proxy.count('idle_in_transaction_session_timeout = 60000')).toBe(1);
  } finally {
    await own.destroy();
    proxy.close();
  }
});
