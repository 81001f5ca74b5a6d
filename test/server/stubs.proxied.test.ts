import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import type { RunningServer, ServerOptions, Stub } from '../../src/server/index.js';
import { Stubs } from '../../src/server/stubs.js';
import { Caller, quotaHeadersOf } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServer, useServers } from './support/start.js';

const servers = useServers();
const refusing = useServer({ stubs: ['GET /teams=200 []'] });

/** What is stubbed need not be what the API's description says. */
async function stubbed(stubs: ServerOptions['stubs'], options: ServerOptions = {}) {
  const server = await servers.start({ ...options, stubs });
  return { server, caller: new Caller(server, { atFault: true }) };
}

describe('a stub', () => {
  it('answers in place of the route, with status, headers, body, and the quota headers of the endpoint', async () => {
    const { server, caller } = await stubbed([
      {
        request: 'get /connections',
        status: 203,
        headers: { 'X-Total-Count': '250', 'X-Mine': 'a' },
        body: [{ id: 1 }],
      },
    ]);
    const answer = await caller.send('GET', '/connections?limit=5&page=x');
    expect(answer).toMatchObject({
      status: 203,
      json: [{ id: 1 }],
      headers: { 'x-total-count': '250', 'x-mine': 'a', 'content-type': 'application/json; charset=utf-8' },
    });
    expect(quotaHeadersOf(answer)).toEqual(['10', '0', '10']);
    const head = await caller.send('HEAD', '/connections');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([203, '', '10']);
    expect((await caller.send('GET', '/connections/x')).status).toBe(404);
    expect((await caller.send('POST', '/connections', { body: {} })).status).toBe(400);
    expect(await server.control.stubs.get()).toMatchObject([{ request: 'GET /connections', hits: 2 }]);
  });

  it('may stand where there is no route, and on methods that the service does not have', async () => {
    const { caller } = await stubbed(['PUT /projects/a%20b=201 {"made":true}', 'GET /text=200']);
    const made = await caller.send('PUT', '/projects/a%20b', { body: {} });
    expect(made).toMatchObject({ status: 201, text: '{"made":true}' });
    expect(await caller.send('GET', '/text')).toMatchObject({ status: 200, text: '' });
    expect((await caller.send('GET', '/projects/a%20b')).status).toBe(404);
  });

  it('may be for one query, whatever its order, and goes before one for the path', () => {
    const stubs = new Stubs(['GET /teams=200 "all"', 'GET /teams?page=2&limit=1=201 "second"']);
    const statusOf = (target: string, method = 'GET') => stubs.find(method, target)?.status;
    const targets = ['', '?page=2&limit=1', '?limit=1&page=2', '?page=2', '?limit=1&page=22'];
    expect(targets.map((query) => statusOf(`/teams${query}`))).toEqual([200, 201, 201, 200, 200]);
    expect([statusOf('/teams', 'HEAD'), statusOf('/teams', 'POST'), statusOf('/teams/a')]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });

  it('leaves authentication, rate limit, body limit and faults as they are', async () => {
    const { caller } = await stubbed(['GET /teams=200 []', 'POST /teams=201 {}'], {
      faults: ['GET /teams=503x1'],
      rateLimit: { requests: 2, window: 60_000 },
    });
    expect((await caller.send('GET', '/teams', { auth: 'none' })).status).toBe(503);
    expect((await caller.send('GET', '/teams', { auth: 'none' })).status).toBe(401);
    const large = await caller.send('POST', '/teams', { body: ' '.repeat(1024 * 1024 + 1) });
    expect(large.status).toBe(413);
    expect((await caller.send('POST', '/teams', { body: '{' })).status).toBe(201);
    expect((await caller.send('GET', '/teams')).text).toBe('[]');
    expect((await caller.send('GET', '/teams')).status).toBe(429);
  });

  it('is in the journal and in the log, and changes no data', async () => {
    const logged: unknown[] = [];
    const { server, caller } = await stubbed(['POST /teams=201 {"id":"team_x"}', 'GET /teams=500'], {
      onLog: (entry) => logged.push(entry),
    });
    await caller.send('POST', '/teams', { body: { name: 'a' } });
    await caller.send('GET', '/teams');
    await caller.send('GET', '/quotas');
    expect(await server.control.journal.get()).toMatchObject([
      { stub: 'POST /teams', status: 201, keyId: server.keyId, body: { name: 'a' } },
      { stub: 'GET /teams', status: 500 },
      { status: 200, stub: undefined },
    ]);
    expect((await server.control.quotas.get())['teams']?.used).toBe(0);
    expect(logged).toContainEqual(expect.objectContaining({ event: 'request', stub: 'POST /teams' }));
  });
});

describe('the stubs of a server', () => {
  const plain = { request: 'GET /teams', status: 200 };
  const large = (request: string) => ({ request, status: 200, body: 'x'.repeat(600_000) });
  const statesOf = async ({ control }: RunningServer) =>
    (await control.stubs.get()).map(({ request, status, hits }) => [request, status, hits]);

  it('are set, listed and cleared while it runs, and are those of the start after a reset', async () => {
    const { server, caller } = await stubbed(['GET /teams=200 []']);
    const control = controller(server);
    await caller.send('GET', '/teams');
    const stub = { request: 'GET /teams', status: 200, hits: 1 };
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await control('GET', '/stubs')).json).toEqual({ stubs: [{ ...stub, headers, body: '[]' }] });
    expect((await control('GET', '/status')).json).toMatchObject({ stubs: [stub] });
    const set = await control('PUT', '/stubs', {
      stubs: ['GET /quotas=418', { request: 'GET /x', status: 200, body: 'plain' }],
    });
    expect(set.status).toBe(200);
    expect(await caller.send('GET', '/x')).toMatchObject({
      text: 'plain',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    expect(await statesOf(server)).toEqual([
      ['GET /quotas', 418, 0],
      ['GET /x', 200, 1],
    ]);
    expect((await control('DELETE', '/stubs')).status).toBe(204);
    expect(await statesOf(server)).toEqual([]);
    await server.control.reset();
    expect(await statesOf(server)).toEqual([['GET /teams', 200, 0]]);
  });

  it.each<[string, unknown]>([
    ['no method', '/teams=200'],
    ['no path', 'GET teams=200'],
    ['no status', 'GET /teams'],
    ['a file, which only the command line reads', 'GET /teams=200 @/etc/passwd'],
    ['an unknown method', 'BREW /teams=200'],
    ['a status that is none', { ...plain, status: 99 }],
    ['a body where there is none', 'GET /teams=204 {}'],
    ['a path of the server itself', 'GET /_control/status=200'],
    ['the same in disguise', 'GET /x/..%2f_control=200'],
    ['a fragment', 'GET /teams#a=200'],
    ['a line end in a header', { ...plain, headers: { 'X-A': 'a\r\nSet-Cookie: b' } }],
    ['a line end in the name of one', { ...plain, headers: { 'X-A\r\nX-B': 'a' } }],
    ['a header __proto__', { ...plain, headers: Object.fromEntries([['__proto__', 'a']]) }],
    ['the length', { ...plain, headers: { 'Content-Length': '1' } }],
    ['the quota', { ...plain, headers: { 'x-quota-used': '1' } }],
    ['a list as header', { ...plain, headers: { 'X-A': ['a'] } }],
  ])('have no %s', (_what, stub) => {
    const stubs = new Stubs(['GET /quotas=200']);
    expect(() => Reflect.apply(stubs.set, stubs, [['GET /a=200', stub]])).toThrow(UsageError);
    expect(stubs.get()).toMatchObject([{ request: 'GET /quotas' }]);
  });

  it('are refused over HTTP and at the start, also for a field that is none', async () => {
    const { server } = refusing;
    for (const stub of ['GET /x/..%2f_control=200', { ...plain, text: 'a' }]) {
      expect((await controller(server)('PUT', '/stubs', { stubs: [stub] })).status).toBe(400);
      await expect(servers.start({ stubs: [stub] })).rejects.toMatchObject({ code: 'usage' });
    }
    expect(await statesOf(server)).toEqual([['GET /teams', 200, 0]]);
  });

  it('refuse what would change a prototype, and take a path out of the tree as the text that it is', async () => {
    const { server, caller } = await stubbed([]);
    const poisoned = '{"stubs":[{"request":"GET /teams","status":200,"headers":{"__proto__":"a"}}]}';
    expect((await controller(server)('PUT', '/stubs', poisoned)).status).toBe(400);
    await server.control.stubs.set(['GET /../../etc/passwd=200 {"__proto__":{"a":1}}']);
    expect((await caller.send('GET', '/../../etc/passwd')).text).toBe('{"__proto__":{"a":1}}');
    expect((await caller.send('GET', '/etc/passwd')).status).toBe(404);
  });

  it.each<[string, readonly (string | Stub)[]]>([
    ['more than the limit of 100', Array.from({ length: 101 }, (_, at) => `GET /${at}=200`)],
    ['limit of 1048576', [large('GET /a'), large('GET /b')]],
    ['duplicate stub', ['GET /a=200', 'get /a=500']],
    ['duplicate stub', ['GET /a?b=1&c=2=200', 'GET /a?c=2&b=1=500']],
  ])('are bounded: %s', (message, stubs) => expect(() => new Stubs(stubs)).toThrow(message));
});
