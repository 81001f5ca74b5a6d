import { Client, Pool } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OutcomeUnknown, StoreUnavailable } from '../../src/storage/database/store-unavailable.js';
import { PostgresConnections } from '../../src/storage/postgres/connection.js';
import { openPostgres } from '../../src/storage/postgres/engine.js';
import { QuotaExceeded } from '../../src/storage/reading/quotas.js';
import { openStore, type Store } from '../../src/storage/store.js';
import { useDatabase } from '../support/databases.js';
import { CuttingProxy } from './support/cutting-proxy.js';

const database = useDatabase();
const organization = 'org_a';
const other = 'org_b';
const limit = 20;
let url: URL;
let proxy: CuttingProxy;
const stores: Store[] = [];

beforeEach(async () => {
  url = new URL(await database.fresh());
  url.searchParams.set('sslmode', 'disable');
  proxy = await CuttingProxy.open(Number(url.port));
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  proxy.close();
});

/** A store of its own on the database, behind the proxy. */
async function open(): Promise<Store> {
  const proxied = new URL(url);
  proxied.port = String(proxy.port);
  const masterKey = { key: () => Promise.resolve(Buffer.alloc(32, 1)) };
  const store = await openStore(await openPostgres(proxied.href), { clock: Date.now, masterKey });
  stores.push(store);
  return store;
}

/** A store with two organizations, which have room for some. */
async function filled(): Promise<Store> {
  const store = await open();
  const limits = { teams: limit, 'api-keys': limit };
  const content = [organization, other].map((id) => ({
    id,
    name: 'a',
    limits,
    resources: { 'api-keys': [] },
  }));
  await store.contents.replace(store.contents.compose(content));
  return store;
}

function createTeams({ resources }: Store, count: number, organizationId = organization) {
  const names = Array.from({ length: count }, (_, at) => `team ${at}`);
  return Promise.allSettled(names.map((name) => resources.teams.create(organizationId, { name })));
}

async function teamsIn({ resources, quotas }: Store, organizationId = organization) {
  const teams = await resources.teams.list(organizationId, { page: 1, limit: 100 });
  const { used } = (await quotas.of(organizationId))['teams'] ?? {};
  return { names: teams.map(({ name }) => name), used };
}

/** What was created of `createTeams`, when that was the first `count`. */
const teamNames = (count: number) => Array.from({ length: count }, (_, at) => `team ${at}`);

const endWaiting = `select pg_terminate_backend(pid) from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database()`;

const statuses = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status);

it('what is created at once in one organization is one commit, in its order', async () => {
  const store = await filled();
  const before = proxy.count('commit');
  expect(statuses(await createTeams(store, 15))).toEqual(Array(15).fill('fulfilled'));
  expect(proxy.count('commit') - before).toBe(1);
  expect(await teamsIn(store)).toEqual({ names: teamNames(15), used: 15 });
});

it('what is created at once in several organizations is one commit, each as far as its own quota goes', async () => {
  const store = await filled();
  const before = proxy.count('commit');
  const [few, tooMany, gone] = await Promise.all([
    createTeams(store, 3),
    createTeams(store, limit + 2, other),
    createTeams(store, 1, 'org_gone'),
  ]);
  expect(statuses(few)).toEqual(Array(3).fill('fulfilled'));
  expect(statuses(tooMany)).toEqual([...Array(limit).fill('fulfilled'), 'rejected', 'rejected']);
  expect(tooMany.at(-1)).toMatchObject({ reason: { kind: 'teams', limit, used: limit } });
  expect(gone).toMatchObject([{ reason: expect.any(StoreUnavailable) }]);
  // The one without an organization is asked for once more, by itself.
  expect(proxy.count('commit') - before).toBe(2);
  expect(await teamsIn(store)).toEqual({ names: teamNames(3), used: 3 });
  expect(await teamsIn(store, other)).toEqual({ names: teamNames(limit), used: limit });
});

it('a store that closes ends what waits for a lock before', async () => {
  const store = await filled();
  const locker = new Client({ connectionString: url.href });
  await locker.connect();
  try {
    await locker.query('begin; select from quotas for update');
    const waiting = createTeams(store, 2);
    stores.splice(0);
    const closed = store.close();
    await locker.query('commit');
    expect(statuses(await waiting)).toEqual(['fulfilled', 'fulfilled']);
    await closed;
  } finally {
    await locker.end();
  }
});

it('of those that are too many the first are stored, on all servers together', async () => {
  const [one, other] = [await filled(), await open()];
  const outcomes = await Promise.all([createTeams(one, 32), createTeams(other, 32)]);
  for (const ofOne of outcomes.map(statuses)) {
    const made = ofOne.filter((status) => status === 'fulfilled').length;
    expect(ofOne.slice(0, made)).toEqual(Array(made).fill('fulfilled'));
  }
  const refusals = outcomes
    .flat()
    .flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(refusals).toEqual(Array(64 - limit).fill(expect.any(QuotaExceeded)));
  expect(refusals.at(-1)).toMatchObject({ kind: 'teams', limit, used: limit });
  const { names, used } = await teamsIn(one);
  expect([names.length, used]).toEqual([limit, limit]);
});

it('one that the database refuses spoils none of its neighbours', async () => {
  const store = await filled();
  await store.apiKeys.create(organization, { id: 'key_there', name: 'there' });
  const ids = ['key_a', 'key_there', 'key_b', 'key_c', 'key_a', 'key_d'];
  const outcomes = await Promise.allSettled(
    ids.map((id) => store.apiKeys.create(organization, { id, name: 'new' })),
  );
  const [ok, taken] = [
    'fulfilled',
    expect.objectContaining({ reason: expect.objectContaining({ code: '23505' }) }),
  ];
  const [stored, refused] = [expect.objectContaining({ status: ok }), taken];
  expect(outcomes).toEqual([stored, refused, stored, stored, refused, stored]);
  expect((await store.quotas.of(organization))['api-keys']?.used).toBe(5);
});

it('nothing is stored that was sealed with a key which the data no longer has', async () => {
  const store = await filled();
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query("update settings set value = 'of another key' where name = 'master_key_check'");
    await expect(store.apiKeys.create(organization, { name: 'new' })).rejects.toThrow('master key');
    const { rows } = await client.query('select count(*)::int as count from api_keys');
    expect(rows).toEqual([{ count: 0 }]);
  } finally {
    await client.end();
  }
});

it('each is told what became of it when the answer to their commit is lost', async () => {
  const store = await filled();
  void proxy.cutNext('after');
  const outcomes = await createTeams(store, limit + 2);
  expect(statuses(outcomes.slice(0, limit))).toEqual(Array(limit).fill('fulfilled'));
  // Whether there was no room is lost with the answer; that they are not there is what counts.
  for (const outcome of outcomes.slice(limit)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
  }
  const { names, used } = await teamsIn(store);
  expect([names.length, used]).toEqual([limit, limit]);
});

it('the outcome is unknown when the answer is lost and the data cannot be asked', async () => {
  const store = await filled();
  const wasCut = proxy.cutNext('holding');
  const creating = createTeams(store, 1);
  await wasCut;
  const locker = new Client({ connectionString: url.href });
  await locker.connect();
  try {
    await locker.query('begin; lock table teams in access exclusive mode');
    proxy.release();
    const ended = async () => (await locker.query(endWaiting)).rowCount;
    await expect.poll(ended, { interval: 5 }).toBe(1);
    expect(await creating).toMatchObject([{ reason: expect.any(OutcomeUnknown) }]);
  } finally {
    await locker.end();
  }
  expect(await teamsIn(store)).toEqual({ names: teamNames(1), used: 1 });
});

it('none is stored when the connection is cut before their commit', async () => {
  const store = await filled();
  void proxy.cutNext('before');
  const outcomes = await createTeams(store, 5);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
  expect(await teamsIn(store)).toEqual({ names: [], used: 0 });
});

it('statements that a pooler does not keep are sent without a name from then on', async () => {
  const pool = new Pool({ connectionString: url.href, pipeline: true });
  // It ends before its connections have, which the database that is dropped after this may end first.
  pool.on('error', () => undefined);
  const connections = new PostgresConnections(pool, 'there');
  const connection = await connections.take();
  const query = { sql: 'select 1 as one', named: true };
  try {
    await connection.executeTogether([query]);
    await connection.executeScript('deallocate all');
    await expect(connection.executeTogether([query])).rejects.toThrow(StoreUnavailable);
    const [result] = await connection.executeTogether([query]);
    expect(result?.rows).toEqual([{ one: 1 }]);
  } finally {
    connection.release();
    await connections.end();
  }
});
