import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { advisoryLock } from '../../src/storage/postgres/advisory-lock.js';
import { at, Caller } from '../server/support/caller.js';
import { masterKey } from '../server/support/start.js';
import { useServerProcesses } from '../server/support/use-server-processes.js';
import { execute, useDatabase } from '../support/databases.js';

const database = useDatabase();
const processes = useServerProcesses();

const connection = { name: 'main', type: 'x', config: {} };

const seed = {
  organizations: [{ id: 'org_a', name: 'a', teams: [{ id: 'team_one', name: 'one' }] }, { name: 'b' }],
};

function post(caller: Caller, kind: string, body: unknown = connection) {
  return caller.send('POST', `/${kind}`, { body });
}

function counted(statuses: readonly number[]): Record<number, number> {
  return Object.fromEntries(
    [...new Set(statuses)].sort().map((status) => [status, statuses.filter((one) => one === status).length]),
  );
}

/** What a server says of a kind: the quota's count, and the rows that there are. */
async function existing(caller: Caller, kind: string): Promise<{ used: unknown; ids: string[] }> {
  const quotas = await caller.send('GET', '/quotas');
  const list = at((await caller.send('GET', `/${kind}?limit=100`)).json, 'data');
  const ids = Array.isArray(list) ? list.map((item) => String(at(item, 'id'))) : [];
  return { used: at(quotas.json, `data.0.${kind}.used`), ids };
}

it('a server that starts waits for one that is looking for what is there', async () => {
  const url = await database.fresh();
  const one = new Client({ connectionString: database.url });
  await one.connect();
  await one.query(`select pg_advisory_lock(${advisoryLock.start})`);
  const starts = [1, 2].map(() => startServer({ http: true, database: url, masterKey }));
  const waiting = async () => {
    const asked = `select pg_try_advisory_xact_lock(${advisoryLock.start})%`;
    const { rows } = await one.query('select from pg_stat_activity where query like $1', [asked]);
    return rows.length;
  };
  await expect.poll(waiting).toBe(2);
  await one.end();
  const servers = await Promise.all(starts);
  try {
    expect(servers[1]).toMatchObject({ keyId: servers[0]?.keyId, organization: servers[0]?.organization });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
});

it('servers that start at once on an empty database fill it once, and keep to its quotas even as one is killed', async () => {
  const all = { database: await database.fresh(), masterKey, seed, quotas: { connections: 10, teams: 6 } };
  const [killed, ...left] = await Promise.all([1, 2, 3].map(() => processes.open(all)));
  if (killed === undefined) throw new Error('there is no server');
  const callers = [...left, killed].map(({ server }) => new Caller(server));
  expect(new Set(callers.map(({ credential }) => JSON.stringify(credential))).size).toBe(1);
  for (const caller of callers) {
    expect(await existing(caller, 'api-keys')).toEqual({ used: 1, ids: [caller.credential.keyId] });
    expect(await existing(caller, 'teams')).toEqual({ used: 1, ids: ['team_one'] });
  }

  const answers = await Promise.all(
    callers.flatMap((caller) => Array.from({ length: 50 }, () => post(caller, 'connections'))),
  );
  expect(counted(answers.map(({ status }) => status))).toEqual({ 201: 10, 403: 140 });
  const made = answers.filter(({ status }) => status === 201).map(({ json }) => String(at(json, 'id')));
  for (const caller of callers) {
    const { used, ids } = await existing(caller, 'connections');
    expect({ used, ids: ids.toSorted() }).toEqual({ used: 10, ids: made.toSorted() });
  }

  const pairs = [...callers, ...callers].map((caller, index) =>
    churn(caller, callers[(index + 1) % callers.length] ?? caller),
  );
  const counts = counted((await Promise.all(pairs)).flat());
  expect(counts[204]).toBe(counts[201]);
  expect(counts[404]).toBe(counts[201]);
  for (const caller of callers)
    expect(await existing(caller, 'teams')).toEqual({ used: 1, ids: ['team_one'] });

  await execute(all.database, "update quotas set quota_limit = 1000 where kind = 'teams'");
  const victim = new Caller(killed.server);
  const doomed = Promise.allSettled(Array.from({ length: 50 }, () => post(victim, 'teams', { name: 'a' })));
  await post(victim, 'teams', { name: 'under way' });
  await killed.end('SIGKILL');
  const acknowledged = (await doomed).filter(
    (outcome) => outcome.status === 'fulfilled' && outcome.value.status === 201,
  );
  const others = callers.slice(0, 2);
  const afterwards = await Promise.all(others.map((caller) => post(caller, 'teams', { name: 'b' })));
  expect(afterwards.map(({ status }) => status)).toEqual([201, 201]);
  for (const caller of others) {
    const { used, ids } = await existing(caller, 'teams');
    expect(used).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(acknowledged.length + 4);
  }
});

/** Creates on one server, and deletes the same one on two at once: one of them does. */
async function churn(own: Caller, other: Caller): Promise<number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const created = await post(own, 'teams', { name: 'a' });
    statuses.push(created.status);
    if (created.status !== 201) continue;
    const target = `/teams/${String(at(created.json, 'id'))}`;
    const deleted = await Promise.all([own.send('DELETE', target), other.send('DELETE', target)]);
    statuses.push(...deleted.map(({ status }) => status));
  }
  return statuses;
}
