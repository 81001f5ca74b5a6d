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
  const message = 'Service Unavailable: the data cannot be read or written, nothing was changed';
  expect(answer.json).toEqual({ statusCode: 503, message });
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
}

function expectUnknown(answer: Answer, log: readonly LogEntry[]): void {
  const message = 'Service Unavailable: the outcome is unknown, this may have been done';
  expect(answer.json).toEqual({ statusCode: 503, message });
  expect(answer.headers).not.toHaveProperty('retry-after');
  const reason = expect.stringMatching(/a change .* may or may not have been made/);
  expect(log).toContainEqual(expect.objectContaining({ event: 'error', message: reason }));
  expect(log).toContainEqual(expect.objectContaining({ event: 'request', status: 503, reason }));
}

/** Clients that create without end, and what they were answered. */
function writers(callers: readonly Caller[]) {
  const acknowledged: string[] = [];
  let refused = 0;
  let stopped = false;
  const write = async (caller: Caller) => {
    while (!stopped) {
      const answer = await create(caller);
      if (answer.status === 201) acknowledged.push(String(at(answer.json, 'id')));
      else {
        expectUnavailable(answer);
        refused += 1;
      }
    }
  };
  const writing = Promise.all(callers.flatMap((caller) => [1, 2, 3, 4].map(() => write(caller))));
  return {
    count: () => acknowledged.length,
    refusals: () => refused,
    async stop() {
      stopped = true;
      await writing;
      return acknowledged.toSorted();
    },
  };
}

describe.skipIf(programs === undefined)('a database', () => {
  it('that crashes and comes back costs no acknowledged write, and makes none twice', async () => {
    const callers = [await start(), await start()];
    const [caller = callers[0]] = callers;
    if (caller === undefined) throw new Error('there is no server');
    const clients = writers(callers);
    for (let crash = 0; crash < 2; crash += 1) {
      const goal = clients.count() + 20;
      await expect.poll(clients.count).toBeGreaterThan(goal);
      await cluster.halt('immediate');
      await cluster.resume();
    }
    const goal = clients.count() + 20;
    await expect.poll(clients.count).toBeGreaterThan(goal);
    const acknowledged = await clients.stop();
    // What was answered 503 was not done: a client may send it again.
    expect(await existing(caller)).toEqual({ ids: acknowledged, used: acknowledged.length });
    expect(clients.refusals()).toBeGreaterThan(0);
  });

  it('that cuts connections in the midst of transactions costs nothing either', async () => {
    const callers = [await start(), await start()];
    const clients = writers(callers);
    for (let cut = 0; cut < 5; cut += 1) {
      const goal = clients.count() + 5;
      await expect.poll(clients.count, { interval: 5 }).toBeGreaterThan(goal);
      await execute(
        cluster.url(),
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    }
    const acknowledged = await clients.stop();
    const [caller] = callers;
    if (caller === undefined) throw new Error('there is no server');
    expect(await existing(caller)).toEqual({ ids: acknowledged, used: acknowledged.length });
  });

  it('that is cut off round the commit of a creation has its outcome told', () =>
    throughProxy(async (proxy, caller) => {
      void proxy.cutNext('before');
      expectUnavailable(await create(caller));
      expect(await existing(caller)).toEqual({ ids: [], used: 0 });
      void proxy.cutNext('after');
      expect((await create(caller)).status).toBe(201);
      expect(await existing(caller)).toEqual({ ids: [expect.any(String)], used: 1 });
      expect((await create(caller)).status).toBe(201);
    }));

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

  it('is not asked for each request of a key that it does not have', () =>
    throughProxy(async (proxy, caller) => {
      const [before, start] = [proxy.count('"api_keys"'), performance.now()];
      const credential = { keyId: 'key_none', secret: 's'.repeat(64) };
      for (let sent = 0; sent < 300; sent += 1) {
        expect((await caller.send('GET', '/quotas', { credential })).status).toBe(401);
      }
      // As those that there are, it is looked for anew every 500 ms.
      const most = (performance.now() - start) / 500 + 1;
      expect(proxy.count('"api_keys"') - before).toBeLessThanOrEqual(Math.ceil(most));
      // Nor is one that cannot be any.
      const odd = { ...credential, keyId: 'x'.repeat(5000) };
      const asked = proxy.count('x'.repeat(5000));
      expect((await caller.send('GET', '/quotas', { credential: odd })).status).toBe(401);
      expect(proxy.count('x'.repeat(5000))).toBe(asked);
      // One that is made here is known at once, whoever asked for it before.
      const issued = await servers.at(-1)?.control.keys.issue({ id: 'key_none', secret: credential.secret });
      expect(issued?.id).toBe('key_none');
      expect((await caller.send('GET', '/quotas', { credential })).status).toBe(200);
    }));

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

  it('that became read-only is read and not written, and written again when it may be', async () => {
    const caller = await start();
    expect((await create(caller)).status).toBe(201);
    await execute(cluster.url(), 'alter system set default_transaction_read_only = on');
    await cluster.reload();
    // A session that has not noticed yet still writes.
    let made = 1;
    const attempt = async () => {
      const { status } = await create(caller);
      if (status === 201) made += 1;
      return status;
    };
    await expect.poll(attempt).toBe(503);
    expectUnavailable(await create(caller));
    expect((await caller.send('GET', '/teams')).json).toMatchObject({ total: made });
    expectUnavailable(await caller.send('GET', '/healthz/ready', { auth: 'none' }));
    await execute(
      cluster.url('postgres', '?options=-c%20default_transaction_read_only%3Doff'),
      'alter system reset default_transaction_read_only',
    );
    await cluster.reload();
    await expect.poll(async () => (await create(caller)).status).toBe(201);
    expect((await caller.send('GET', '/healthz/ready', { auth: 'none' })).status).toBe(200);
  });

  it('with no connection left is 503, and is used again when there is one', async () => {
    // The superuser, whom the tests are otherwise, is let in whatever the limit.
    await execute(
      cluster.url(),
      `create role modest login password 'x'`,
      `alter database ${name} owner to modest`,
    );
    await execute(cluster.url(name), 'grant all on schema public to modest');
    const url = new URL(cluster.url(name));
    [url.username, url.password] = ['modest', 'x'];
    const caller = await start(url.href);
    await execute(
      cluster.url(),
      `alter database ${name} connection limit 0`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await expect.poll(async () => (await caller.send('GET', '/quotas')).status).toBe(503);
    expectUnavailable(await create(caller));
    await execute(cluster.url(), `alter database ${name} connection limit -1`);
    expect((await create(caller)).status).toBe(201);
  });
});
