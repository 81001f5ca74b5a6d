import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { advisoryLock } from '../../src/storage/postgres/advisory-lock.js';
import { at, Caller } from '../server/support/caller.js';
import { masterKey } from '../server/support/start.js';
import { useServerProcesses } from '../server/support/use-server-processes.js';
import { useDatabase } from '../support/databases.js';

const database = useDatabase();
const processes = useServerProcesses();

const connection = { name: 'main', type: 'x', config: {} };

const seed = {
  organizations: [{ id: 'org_a', name: 'a', teams: [{ id: 'team_one', name: 'one' }] }, { name: 'b' }],
};

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

it('servers that start at once on an empty database fill it once, and keep to its quotas', async () => {
  const all = { database: await database.fresh(), masterKey, seed, quotas: { connections: 10, teams: 6 } };
  const started = await Promise.all([1, 2, 3].map(() => processes.open(all)));
  const callers = started.map(({ server }) => new Caller(server));
  expect(new Set(callers.map(({ credential }) => JSON.stringify(credential))).size).toBe(1);
  for (const caller of callers) {
    expect(await existing(caller, 'api-keys')).toEqual({ used: 1, ids: [caller.credential.keyId] });
    expect(await existing(caller, 'teams')).toEqual({ used: 1, ids: ['team_one'] });
  }

  const answers = await Promise.all(
    callers.flatMap((caller) =>
      Array.from({ length: 50 }, () => caller.send('POST', '/connections', { body: connection })),
    ),
  );
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(140);
  const made = answers.filter(({ status }) => status === 201).map(({ json }) => String(at(json, 'id')));
  for (const caller of callers) {
    const { used, ids } = await existing(caller, 'connections');
    expect({ used, ids: ids.toSorted() }).toEqual({ used: 10, ids: made.toSorted() });
  }
});
