import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { at, Caller } from '../server/support/caller.js';
import { masterKey } from '../server/support/start.js';
import { useDatabase } from '../support/databases.js';

// Whoever is answered before the data has the change is answered success here, where it never gets there.
const database = useDatabase();
let server: RunningServer;
let caller: Caller;
let locker: Client;
beforeAll(async () => {
  const url = await database.fresh();
  server = await startServer({ http: true, database: url, masterKey, quotas: { 'api-keys': 100 } });
  caller = new Caller(server);
  locker = new Client({ connectionString: url });
  await locker.connect();
});
afterAll(async () => {
  await locker.end();
  await server.close();
});

/** All that a change could have changed. */
async function state(): Promise<unknown> {
  const all = (table: string) => `(select json_agg(t order by t::text) from ${table} t) as ${table}`;
  const columns = 'select id, name, enabled from api_keys';
  const { rows } = await locker.query(
    `select ${['quotas', 'teams', 'connections'].map(all).join()}, (select json_agg(k order by id) from (${columns}) k) as keys`,
  );
  return rows;
}

const endWaiting = `select pg_terminate_backend(pid) from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database()`;

/** Does something while nobody can write to the tables: what waits for them is cut off. */
async function interrupted<Result>(tables: string, work: () => Promise<Result>): Promise<Result> {
  await locker.query(`begin; lock table ${tables} in exclusive mode`);
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  working.catch(() => undefined);
  await expect
    .poll(
      async () => {
        await locker.query(endWaiting);
        return isOver;
      },
      { interval: 5 },
    )
    .toBe(true);
  await locker.query('rollback');
  return working;
}

describe.each(['teams', 'connections', 'api-keys'])('/%s', (kind) => {
  const table = kind.replace('-', '_');
  const named = (name: string) => (kind === 'connections' ? { name, type: 'x', config: {} } : { name });

  it.each<[string, string, string, object | undefined]>([
    ['POST', '', table, named('b')],
    ['POST', '', 'quotas', named('b')],
    ['PATCH', '/{id}', table, { name: 'b' }],
    ['DELETE', '/{id}', table, undefined],
    ['DELETE', '/{id}', 'quotas', undefined],
  ])('%s %s is answered when %s has it, and not before', async (method, path, tables, body) => {
    const { json } = await caller.send('POST', `/${kind}`, { body: named('a') });
    const before = await state();
    const target = `/${kind}${path.replace('{id}', String(at(json, 'id')))}`;
    const answer = await interrupted(tables, () => caller.send(method, target, { body }));
    expect(answer.status).toBe(503);
    expect(await state()).toEqual(before);
  });
});

describe('the control API', () => {
  it.each<[string, string, string, object | undefined]>([
    ['PUT', '/quotas', 'quotas', { limits: { teams: 3 } }],
    ['POST', '/keys', 'api_keys', {}],
    ['POST', '/keys', 'quotas', {}],
    ['POST', '/keys/{id}/enable', 'api_keys', undefined],
    ['POST', '/keys/{id}/disable', 'api_keys', undefined],
    ['DELETE', '/keys/{id}', 'api_keys', undefined],
    ['DELETE', '/keys/{id}', 'quotas', undefined],
    ['POST', '/reset', 'teams', undefined],
    ['POST', '/reset', 'rate_windows', undefined],
    ['POST', '/restore', 'teams', { snapshot: 'snapshot_1' }],
  ])('%s %s is answered when %s has it, and not before', async (method, path, tables, body) => {
    const { id } = await server.control.keys.issue({ name: 'a' });
    await server.control.snapshot();
    const before = await state();
    const headers = { authorization: `Bearer ${server.controlToken}` };
    const target = `/_control${path.replace('{id}', id)}`;
    const send = () => caller.send(method, target, { auth: 'none', headers, body });
    expect(await interrupted(tables, send)).toMatchObject({ status: 503 });
    expect(await state()).toEqual(before);
  });
});
