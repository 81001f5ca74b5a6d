import { describe, expect, it } from 'vitest';
import type { RunningServer, ServerOptions, Stub } from '../../src/server/index.js';
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
    expect(await caller.send('PUT', '/projects/a%20b', { body: {} })).toMatchObject({
      status: 201,
      text: '{"made":true}',
    });
    expect(await caller.send('GET', '/text')).toMatchObject({ status: 200, text: '' });
    expect((await caller.send('GET', '/projects/a%20b')).status).toBe(404);
  });

  it('may be for one query, whatever its order, and goes before one for the path', async () => {
    const { caller } = await stubbed([
      'GET /teams=200 "all"',
      'GET /teams?page=2&limit=1=200 "second"',
      'GET /teams?page=3=500',
    ]);
    const texts = [];
    for (const query of ['', '?page=2&limit=1', '?limit=1&page=2', '?page=2', '?limit=1&page=22']) {
      texts.push((await caller.send('GET', `/teams${query}`)).text);
    }
    expect(texts).toEqual(['"all"', '"second"', '"second"', '"all"', '"all"']);
    expect((await caller.send('GET', '/teams?page=3')).status).toBe(500);
  });

  it('leaves authentication, rate limit, body limit and faults as they are', async () => {
    const { caller } = await stubbed(['GET /teams=200 []', 'POST /teams=201 {}'], {
      faults: ['GET /teams=503x1'],
      rateLimit: { requests: 2, window: 60_000 },
    });
    expect((await caller.send('GET', '/teams', { auth: 'none' })).status).toBe(503);
    expect((await caller.send('GET', '/teams', { auth: 'none' })).status).toBe(401);
    expect(
      (await caller.send('GET', '/teams', { credential: { ...caller.credential, secret: 'x' } })).status,
    ).toBe(401);
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
  const statesOf = async ({ control }: RunningServer) =>
    (await control.stubs.get()).map(({ request, status, hits }) => [request, status, hits]);

  it('are set, listed and cleared while it runs, and are those of the start after a reset', async () => {
    const { server, caller } = await stubbed(['GET /teams=200 []']);
    const control = controller(server);
    await caller.send('GET', '/teams');
    expect((await control('GET', '/stubs')).json).toEqual({
      stubs: [
        {
          request: 'GET /teams',
          status: 200,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: '[]',
          hits: 1,
        },
      ],
    });
    expect((await control('GET', '/status')).json).toMatchObject({
      stubs: [{ request: 'GET /teams', status: 200, hits: 1 }],
    });
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
    ['a status that is none', { request: 'GET /teams', status: 99 }],
    ['a body where there is none', 'GET /teams=204 {}'],
    ['a path of the server itself', 'GET /_control/status=200'],
    ['the same in disguise', 'GET /x/..%2f_control=200'],
    ['a fragment', 'GET /teams#a=200'],
    [
      'a line end in a header',
      { request: 'GET /teams', status: 200, headers: { 'X-A': 'a\r\nSet-Cookie: b' } },
    ],
    ['a line end in the name of one', { request: 'GET /teams', status: 200, headers: { 'X-A\r\nX-B': 'a' } }],
    ['the length', { request: 'GET /teams', status: 200, headers: { 'Content-Length': '1' } }],
    ['the quota', { request: 'GET /teams', status: 200, headers: { 'x-quota-used': '1' } }],
    ['a field that is none', { request: 'GET /teams', status: 200, text: 'a' }],
    ['a list as header', { request: 'GET /teams', status: 200, headers: { 'X-A': ['a'] } }],
  ])('have no %s', async (_what, stub) => {
    const { server } = refusing;
    const refused = await controller(server)('PUT', '/stubs', { stubs: [stub] });
    expect(refused.status).toBe(400);
    expect(await statesOf(server)).toEqual([['GET /teams', 200, 0]]);
    // @ts-expect-error: what a program without types may pass
    await expect(servers.start({ stubs: [stub] })).rejects.toMatchObject({ code: 'usage' });
  });

  it('refuse what would change a prototype, and take a path out of the tree as the text that it is', async () => {
    const { server, caller } = await stubbed([]);
    const control = controller(server);
    const poisoned = '{"stubs":[{"request":"GET /teams","status":200,"headers":{"__proto__":"a"}}]}';
    expect((await control('PUT', '/stubs', poisoned)).status).toBe(400);
    const headers = Object.fromEntries([['__proto__', 'a']]);
    await expect(server.control.stubs.set([{ request: 'GET /a', status: 200, headers }])).rejects.toThrow(
      'header',
    );
    await server.control.stubs.set(['GET /../../etc/passwd=200 {"__proto__":{"a":1}}']);
    expect((await caller.send('GET', '/../../etc/passwd')).text).toBe('{"__proto__":{"a":1}}');
    expect((await caller.send('GET', '/etc/passwd')).status).toBe(404);
  });

  it('are bounded in number and size, and one for each request', async () => {
    const { server } = await stubbed([]);
    const set = (stubs: readonly (string | Stub)[]) => server.control.stubs.set(stubs);
    await expect(set(Array.from({ length: 101 }, (_, at) => `GET /${at}=200`))).rejects.toThrow(
      'more than the limit of 100',
    );
    const half = 'x'.repeat(600_000);
    await expect(
      set([
        { request: 'GET /a', status: 200, body: half },
        { request: 'GET /b', status: 200, body: half },
      ]),
    ).rejects.toThrow('limit of 1048576');
    await expect(set(['GET /a=200', 'get /a=500'])).rejects.toThrow('duplicate stub');
    await expect(set(['GET /a?b=1&c=2=200', 'GET /a?c=2&b=1=500'])).rejects.toThrow('duplicate stub');
    expect(await statesOf(server)).toEqual([]);
  });
});
