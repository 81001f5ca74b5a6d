import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LogEntry, type RunningServer, startServer } from '../../src/server/index.js';
import { type Answer, at, Caller, quotaHeadersOf } from '../support/caller.js';
import { execute } from '../support/databases.js';
import { findPostgres, PostgresCluster } from '../support/postgres-cluster.js';
import { masterKey } from '../support/servers.js';
import { CuttingProxy } from './support/cutting-proxy.js';

// What is done to it here is done to a whole PostgreSQL, so it is one of its own.
const programs = findPostgres();
let cluster: PostgresCluster;
let databases = 0;
let name: string;
const servers: RunningServer[] = [];

beforeAll(async () => {
  if (programs !== undefined) cluster = await PostgresCluster.start(programs, ['max_connections=30']);
});
afterAll(() => cluster?.stop());
beforeEach(async () => {
  databases += 1;
  name = `faults_${databases}`;
  await execute(cluster.url(), `create database ${name}`);
});
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function start(database = cluster.url(name), onLog?: (entry: LogEntry) => void): Promise<Caller> {
  const quotas = { teams: 100_000 };
  const server = await startServer({ http: true, database, masterKey, quotas, ...(onLog && { onLog }) });
  servers.push(server);
  // What is done is answered without quota headers, where these cannot be read any more.
  return new Caller(server, { atFault: true });
}

/** A server whose database is behind a proxy that the work can cut. */
async function throughProxy(
  work: (proxy: CuttingProxy, caller: Caller, log: readonly LogEntry[]) => Promise<void>,
): Promise<void> {
  const proxy = await CuttingProxy.open(cluster.port);
  try {
    const url = new URL(cluster.url(name, '?sslmode=disable'));
    url.port = String(proxy.port);
    const log: LogEntry[] = [];
    await work(proxy, await start(url.href, (entry) => log.push(entry)), log);
  } finally {
    proxy.close();
  }
}

function create(caller: Caller): Promise<Answer> {
  return caller.send('POST', '/teams', { body: { name: 'a' } });
}

/** How many teams there are, and how many the quota counts. */
async function existing(caller: Caller): Promise<unknown[]> {
  const data = at((await caller.send('GET', '/teams')).json, 'data');
  const quotas = await caller.send('GET', '/quotas');
  return [Array.isArray(data) && data.length, at(quotas.json, 'data.0.teams.used')];
}

function expectUnavailable(answer: Answer): void {
  const message = 'Service Unavailable: the data cannot be read or written; nothing was changed';
  expect(answer.json).toEqual({ statusCode: 503, message });
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
}

function expectUnknown(answer: Answer, log: readonly LogEntry[]): void {
  const message = 'Service Unavailable: the outcome is unknown; the request may have been carried out';
  expect(answer.json).toEqual({ statusCode: 503, message });
  expect(answer.headers).not.toHaveProperty('retry-after');
  const reason = expect.stringMatching(/a change .* may or may not have been made/);
  expect(log).toContainEqual(expect.objectContaining({ event: 'error', message: reason }));
  expect(log).toContainEqual(expect.objectContaining({ event: 'request', status: 503, reason }));
}

describe.skipIf(programs === undefined)('a database', () => {
  it.each(['before', 'after'] as const)(
    'that is cut off %s a commit leaves the outcome unknown, and the response says so',
    (cut) =>
      throughProxy(async (proxy, caller, log) => {
        const target = `/teams/${at((await create(caller)).json, 'id')}`;
        proxy.cutNext(cut);
        expectUnknown(await caller.send('PATCH', target, { body: { name: 'new' } }), log);
        const name = cut === 'before' ? 'a' : 'new';
        expect((await caller.send('GET', target)).json).toMatchObject({ name });
        proxy.cutNext(cut);
        expectUnknown(await create(caller), log);
        expect(await existing(caller)).toEqual(cut === 'before' ? [1, 1] : [2, 2]);
      }),
  );

  it('that cannot read the quota after a change: the change is confirmed, and a list fails', async () => {
    const caller = await start();
    await execute(
      cluster.url(name),
      `create function lose() returns trigger language plpgsql as
        $$ begin alter table if exists quotas rename to gone; return null; end $$`,
      `create constraint trigger losing after update on teams
        deferrable initially deferred for each row execute function lose()`,
    );
    const target = `/teams/${at((await create(caller)).json, 'id')}`;
    const changed = await caller.send('PATCH', target, { body: { name: 'new' } });
    expect([changed.status, quotaHeadersOf(changed)]).toEqual([200, Array(3).fill(undefined)]);
    expect((await caller.send('GET', '/teams')).status).toBeGreaterThanOrEqual(500);
  });

  it('that is down is 503 until it is back; the process is live, and not ready', async () => {
    const caller = await start();
    await cluster.halt();
    for (const target of ['/quotas', '/teams']) expectUnavailable(await caller.send('GET', target));
    expectUnavailable(await caller.send('DELETE', '/teams/team_a'));
    expectUnavailable(await create(caller));
    expectUnavailable(await caller.send('GET', '/healthz/ready', { auth: 'none' }));
    expect((await caller.send('GET', '/healthz', { auth: 'none' })).status).toBe(200);
    const refused = await startServer({ http: true, database: cluster.url(name), masterKey }).catch(String);
    expect(refused).toContain(`127.0.0.1:${cluster.port}`);
    expect(refused).not.toContain('throw');
    await cluster.resume();
    expect((await caller.send('GET', '/healthz/ready', { auth: 'none' })).status).toBe(200);
    const created = await create(caller);
    expect([created.status, ...quotaHeadersOf(created)]).toEqual([201, '100000', '1', '99999']);
  });
});
