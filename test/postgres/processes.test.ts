import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { type ServerOptions, startServer } from '../../src/server/index.js';
import { advisoryLock } from '../../src/storage/postgres/advisory-lock.js';
import { at, Caller } from '../server/support/caller.js';
import type { ServerProcess } from '../server/support/server-process.js';
import { masterKey } from '../server/support/start.js';
import { useServerProcesses } from '../server/support/use-server-processes.js';
import { execute, useDatabase } from '../support/databases.js';

const database = useDatabase();
const processes = useServerProcesses();

const connection = { name: 'main', type: 'x', config: {} };

/** So many servers in processes of their own, started at the same moment on one database. */
async function openFleet(size: number, options: ServerOptions): Promise<ServerProcess[]> {
  const url = await database.fresh();
  const all = { database: url, masterKey, ...options };
  return Promise.all(Array.from({ length: size }, () => processes.open(all)));
}

/** A caller of each server of such a fleet. */
async function fleet(size: number, options: ServerOptions = {}): Promise<Caller[]> {
  return (await openFleet(size, options)).map(({ server }) => new Caller(server));
}

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

describe('servers that start at the same moment on an empty database', () => {
  it('migrate it once, and agree on one organization and one first key', async () => {
    const callers = await fleet(4);
    const credentials = new Set(callers.map(({ credential }) => JSON.stringify(credential)));
    expect(credentials.size).toBe(1);
    for (const caller of callers) {
      expect(await existing(caller, 'api-keys')).toEqual({ used: 1, ids: [caller.credential.keyId] });
    }
  });

  it('fill it from their seed once', async () => {
    const seed = { organizations: [{ name: 'a', teams: [{ name: 'one' }] }, { name: 'b' }] };
    const callers = await fleet(2, { seed });
    const [first = { ids: [] }, ...others] = await Promise.all(
      callers.map((caller) => existing(caller, 'teams')),
    );
    expect(first).toMatchObject({ used: 1, ids: [expect.stringMatching(/^team_/)] });
    expect(others).toEqual(others.map(() => first));
  });
});

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

describe('servers of one database', () => {
  it('make exactly ten of what has ten places, and never drift while they delete what the others see', async () => {
    const callers = await fleet(4, { quotas: { connections: 10, teams: 5 } });
    const answers = await Promise.all(
      callers.flatMap((caller) => Array.from({ length: 50 }, () => post(caller, 'connections'))),
    );
    expect(counted(answers.map(({ status }) => status))).toEqual({ 201: 10, 403: 190 });
    const made = answers.filter(({ status }) => status === 201).map(({ json }) => String(at(json, 'id')));
    for (const caller of callers) {
      const { used, ids } = await existing(caller, 'connections');
      expect({ used, ids: ids.toSorted() }).toEqual({ used: 10, ids: made.toSorted() });
    }
    const [first = callers[0], second] = callers;
    if (first === undefined || second === undefined) throw new Error('there are no servers');
    const churn = async (own: Caller, other: Caller) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 10; turn += 1) {
        const created = await post(own, 'teams', { name: 'a' });
        statuses.push(created.status);
        if (created.status !== 201) continue;
        // The same one on two servers at once: one of them deletes it.
        const target = `/teams/${String(at(created.json, 'id'))}`;
        const deleted = await Promise.all([own.send('DELETE', target), other.send('DELETE', target)]);
        statuses.push(...deleted.map(({ status }) => status));
      }
      return statuses;
    };
    const pairs = [...callers, ...callers].map((caller, index) =>
      churn(caller, callers[(index + 1) % callers.length] ?? caller),
    );
    const counts = counted((await Promise.all(pairs)).flat());
    expect(counts[204]).toBe(counts[201]);
    expect(counts[404]).toBe(counts[201]);
    for (const caller of callers) expect(await existing(caller, 'teams')).toEqual({ used: 0, ids: [] });
  });

  it('go on when one of them is killed in the midst of its writes', async () => {
    const [killed, ...left] = await openFleet(3, { quotas: { teams: 1000 } });
    if (killed === undefined) throw new Error('there is no server');
    const victim = new Caller(killed.server);
    const others = left.map(({ server }) => new Caller(server));
    const doomed = Promise.allSettled(Array.from({ length: 50 }, () => post(victim, 'teams', { name: 'a' })));
    await post(victim, 'teams', { name: 'under way' });
    await killed.end('SIGKILL');
    const acknowledged = (await doomed).filter(
      (outcome) => outcome.status === 'fulfilled' && outcome.value.status === 201,
    );
    const answers = await Promise.all(others.map((caller) => post(caller, 'teams', { name: 'b' })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    for (const caller of others) {
      const { used, ids } = await existing(caller, 'teams');
      expect(used).toBe(ids.length);
      expect(ids.length).toBeGreaterThanOrEqual(acknowledged.length + 3);
    }
  });
});

it('what a newer version made is refused', async () => {
  const url = await database.fresh();
  const first = await processes.open({ database: url, masterKey });
  await first.end('SIGTERM');
  await execute(url, 'update schema_version set version = 99');
  const refused = await processes.open({ database: url, masterKey });
  expect(refused.start).toMatchObject({
    kind: 'ConfigError',
    message: expect.stringContaining('schema version 99'),
  });
});
