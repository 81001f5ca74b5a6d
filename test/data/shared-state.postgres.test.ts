import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/index.js';
import { at, Caller } from '../support/caller.js';
import { useDatabase } from '../support/databases.js';
import { masterKey } from '../support/servers.js';
import { useServerProcesses } from '../support/use-server-processes.js';

const database = useDatabase();
const servers: RunningServer[] = [];
let url: string;
beforeEach(async () => {
  url = await database.fresh();
});
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function start(options: ServerOptions = {}) {
  const server = await startServer({ http: true, database: url, masterKey, ...options });
  servers.push(server);
  return { server, caller: new Caller(server) };
}

describe('an API key', () => {
  it('that is disabled on one server is refused on the other, and admitted when it is enabled', async () => {
    const [one, other] = [await start(), await start()];
    const created = (await one.caller.send('POST', '/api-keys', { body: { name: 'a' } })).json;
    const credential = { keyId: String(at(created, 'id')), secret: String(at(created, 'secret')) };
    const statusOn = async ({ caller }: { caller: Caller }) =>
      (await caller.send('GET', '/quotas', { credential })).status;
    expect([await statusOn(one), await statusOn(other)]).toEqual([200, 200]);
    await one.caller.send('PATCH', `/api-keys/${credential.keyId}`, { body: { enabled: false } });
    expect(await statusOn(one)).toBe(403);
    await expect.poll(() => statusOn(other), { interval: 20 }).toBe(403);
    await other.server.control.keys.enable(credential.keyId);
    expect(await statusOn(other)).toBe(200);
    await expect.poll(() => statusOn(one), { interval: 20 }).toBe(200);
    await one.caller.send('DELETE', `/api-keys/${credential.keyId}`);
    expect(await statusOn(one)).toBe(401);
    await expect.poll(() => statusOn(other), { interval: 20 }).toBe(401);
  });
});

describe('a rate limit', () => {
  const rateLimit = { requests: 10, window: 3_600_000 };

  it('counts the requests to all servers together', async () => {
    const fleet = [await start({ rateLimit }), await start({ rateLimit }), await start({ rateLimit })];
    const answers = await Promise.all(
      fleet.flatMap(({ caller }) => Array.from({ length: 15 }, () => caller.send('GET', '/quotas'))),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });
});

it('the quota is exact when two servers create at once', async () => {
  const callers = [await start({ quotas: { teams: 7 } }), await start()].map(({ caller }) => caller);
  const responses = await Promise.all(
    callers.flatMap((caller) =>
      Array.from({ length: 20 }, () => caller.send('POST', '/teams', { body: { name: 'ops' } })),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(7);
  expect(responses.filter(({ status }) => status === 403)).toHaveLength(33);
  const quotas = await callers[0]?.send('GET', '/quotas');
  expect(at(quotas?.json, 'data.0.teams')).toEqual({ limit: 7, used: 7, remaining: 0 });
});

describe('the control API of one server', () => {
  it('snapshots and restores what all have', async () => {
    const [one, other] = [await start(), await start()];
    await other.caller.send('POST', '/teams', { body: { name: 'kept' } });
    const snapshot = await one.server.control.snapshot();
    await other.caller.send('POST', '/teams', { body: { name: 'later' } });
    await one.server.control.restore(snapshot);
    expect((await other.caller.send('GET', '/teams')).json).toMatchObject({
      data: [{ name: 'kept' }],
      total: 1,
    });
    await other.server.control.quotas.set({ teams: 1 });
    const refused = await one.caller.send('POST', '/teams', { body: { name: 'b' } });
    expect(refused.status).toBe(403);
  });

  it('leaves everything as it was when a restore fails, and goes on', async () => {
    const [one, other] = [await start(), await start()];
    const create = (name: string) => one.caller.send('POST', '/teams', { body: { name } });
    await create('kept');
    const snapshot = await one.server.control.snapshot();
    await create('later');
    const database = new Client({ connectionString: url });
    await database.connect();
    try {
      await database.query(
        `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
         create trigger refusing before insert on teams for each row execute function refuse()`,
      );
      await expect(one.server.control.restore(snapshot)).rejects.toThrow();
      await database.query('drop trigger refusing on teams');
    } finally {
      await database.end();
    }
    expect((await create('last')).status).toBe(201);
    expect((await other.caller.send('GET', '/teams')).json).toMatchObject({
      data: [{ name: 'kept' }, { name: 'later' }, { name: 'last' }],
    });
  });
});

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
