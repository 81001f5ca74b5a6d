import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LogEntry, type RunningServer, startServer } from '../../src/server/index.js';
import { type Answer, at, Caller, quotaHeadersOf } from '../server/support/caller.js';
import { masterKey } from '../server/support/start.js';
import { execute } from '../support/databases.js';
import { findPostgres, PostgresCluster } from '../support/postgres-cluster.js';
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

/** The IDs of all teams, page by page, and how many the quota counts. */
async function existing(caller: Caller): Promise<{ ids: string[]; used: unknown }> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const data = at((await caller.send('GET', `/teams?limit=100&page=${page}`)).json, 'data');
    if (!Array.isArray(data) || data.length === 0) break;
    ids.push(...data.map((item) => String(at(item, 'id'))));
  }
  const quotas = await caller.send('GET', '/quotas');
  return { ids: ids.toSorted(), used: at(quotas.json, 'data.0.teams.used') };
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
  it('that is cut off after a commit for long leaves its outcome unknown, and the answer says so', () =>
    throughProxy(async (proxy, caller, log) => {
      // The clock by which it gives up, at a hundred times its pace.
      vi.useFakeTimers({ toFake: ['performance'] });
      const [began, ticking] = [performance.now(), setInterval(() => vi.advanceTimersByTime(1000), 10)];
      onTestFinished(() => {
        clearInterval(ticking);
        vi.useRealTimers();
      });
      void proxy.cutNext('for good');
      expectUnknown(await create(caller), log);
      expect(performance.now() - began).toBeGreaterThanOrEqual(10_000);
      expect((await existing(await start())).ids).toHaveLength(1);
    }));

  it.each<[string, object]>([
    ['teams', { name: 'old' }],
    ['connections', { name: 'old', type: 'x', config: { a: 1 } }],
    ['api-keys', { name: 'old' }],
  ])('that is cut off round the commit of a change to /%s has its outcome told', (kind, body) =>
    throughProxy(async (proxy, caller, log) => {
      const make = async () => `/${kind}/${at((await caller.send('POST', `/${kind}`, { body })).json, 'id')}`;
      const change = (method: string, target: string) =>
        caller.send(method, target, method === 'PATCH' ? { body: { name: 'new' } } : {});
      for (const [cut, method, status, afterwards] of [
        ['before', 'PATCH', 503, { name: 'old' }],
        ['after', 'PATCH', 200, { name: 'new' }],
        ['before', 'DELETE', 503, { name: 'old' }],
        ['after', 'DELETE', 204, { statusCode: 404 }],
      ] as const) {
        const target = await make();
        void proxy.cutNext(cut);
        const answer = await change(method, target);
        expect([method, cut, answer.status]).toEqual([method, cut, status]);
        if (status === 503) expectUnavailable(answer);
        expect((await caller.send('GET', target)).json).toMatchObject(afterwards);
      }
      // What was not there is not, whatever became of the commit.
      for (const method of ['PATCH', 'DELETE']) {
        void proxy.cutNext('after');
        expect((await change(method, `/${kind}/none`)).status).toBe(404);
      }
      // What somebody else has changed since tells nothing.
      const target = await make();
      const wasCut = proxy.cutNext('holding');
      const answering = change('PATCH', target);
      await wasCut;
      const others = kind === 'connections' ? `name = 'x', config = '\\x00'` : `name = 'x'`;
      await execute(
        cluster.url(name),
        `update ${kind.replace('-', '_')} set ${others} where id = '${target.split('/').at(-1)}'`,
      );
      proxy.release();
      expectUnknown(await answering, log);
    }),
  );

  it('that lost what it had committed is 503, and the change can be made again', () =>
    throughProxy(async (proxy, caller) => {
      const { json } = await create(caller);
      const target = `/teams/${at(json, 'id')}`;
      await execute(cluster.url(name), 'create table kept as select * from teams');
      const wasCut = proxy.cutNext('holding');
      const answering = caller.send('DELETE', target);
      await wasCut;
      // As after a failover to a server that lagged behind.
      await execute(
        cluster.url(name),
        'insert into teams overriding system value select * from kept',
        "update quotas set used = used + 1 where kind = 'teams'",
      );
      proxy.release();
      expectUnavailable(await answering);
      expect((await caller.send('DELETE', target)).status).toBe(204);
      expect(await existing(caller)).toEqual({ ids: [], used: 0 });
    }));

  it('that is cut off after the commit of what the control API changes has its outcome told, too', () =>
    throughProxy(async (proxy, caller) => {
      const control = servers.at(-1)?.control;
      if (control === undefined) throw new Error('there is no server');
      const { id } = await control.keys.issue({ name: 'a' });
      const changes: [string, () => Promise<unknown>, object | string | undefined][] = [
        ['quotas', () => control.quotas.set({ teams: 7 }), { teams: { limit: 7, used: 0, remaining: 7 } }],
        ['issue', () => control.keys.issue({ id: 'key_b' }), { id: 'key_b' }],
        ['disable', () => control.keys.disable(id), { enabled: false }],
        ['enable', () => control.keys.enable(id), { enabled: true }],
        ['snapshot', () => control.snapshot(), 'snapshot_1'],
        ['revoke', () => control.keys.revoke(id), undefined],
      ];
      for (const [change, make, expected] of changes) {
        void proxy.cutNext('after');
        const result = await make();
        if (typeof expected === 'object') expect(result, change).toMatchObject(expected);
        else expect(result, change).toBe(expected);
      }
      // Whether a reset was made, nothing tells: it can be made again.
      void proxy.cutNext('after');
      await expect(control.reset()).rejects.toThrow('may or may not have been made');
      expect(at((await caller.send('GET', '/api-keys')).json, 'total')).toBe(1);
    }));

  it('that is cut off after the commit of quotas which somebody else has changed since: nobody knows', () =>
    throughProxy(async (proxy) => {
      const control = servers.at(-1)?.control;
      const wasCut = proxy.cutNext('holding');
      const setting = expect(control?.quotas.set({ connections: 8, teams: 7 })).rejects.toThrow(
        'may or may not have been made',
      );
      await wasCut;
      await execute(cluster.url(name), "update quotas set quota_limit = 9 where kind = 'teams'");
      proxy.release();
      await setting;
    }));

  it('that is cut off after a commit and cannot be asked for the change: nobody knows', () =>
    throughProxy(async (proxy, caller, log) => {
      const target = `/teams/${at((await create(caller)).json, 'id')}`;
      const wasCut = proxy.cutNext('holding');
      const answering = caller.send('PATCH', target, { body: { name: 'b' } });
      await wasCut;
      // As after a failover to a server that lacks the table.
      await execute(cluster.url(name), 'alter table teams rename to gone');
      proxy.release();
      expectUnknown(await answering, log);
    }));

  it('that cannot be asked for the quota after a change has the change told, and fails a list', async () => {
    const caller = await start();
    await execute(
      cluster.url(name),
      `create function lose() returns trigger language plpgsql as
        $$ begin alter table quotas rename to gone; return null; end $$`,
      `create constraint trigger losing after insert on teams
        deferrable initially deferred for each row execute function lose()`,
    );
    const created = await create(caller);
    expect([created.status, quotaHeadersOf(created)]).toEqual([201, Array(3).fill(undefined)]);
    expect((await caller.send('GET', '/teams')).status).toBeGreaterThanOrEqual(500);
  });

  it('that is down is 503 until it is back; the process is live, and not ready', async () => {
    const caller = await start();
    await cluster.halt();
    for (const [method, target] of [
      ['GET', '/quotas'],
      ['GET', '/teams'],
      ['DELETE', '/teams/team_a'],
    ] as const) {
      expectUnavailable(await caller.send(method, target));
    }
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
