import { describe, expect, it } from 'vitest';
import type { DialectInput } from '../../src/server/index.js';
import { at, quotaHeadersOf, signedGet } from './support/caller.js';
import { controller } from './support/controller.js';
import { rawExchange } from './support/raw-exchange.js';
import { callerOf, createTeams, useDialects } from './support/speaking.js';

const { servers, speaking } = useDialects();

it('reference answers byte for byte as a server without a dialect', async () => {
  const seed = { organizations: [{ name: 'a', teams: [{ id: 'team_a', name: 'a' }] }] };
  const clock = () => Date.parse('2026-01-02T03:04:05Z');
  const targets = ['/teams', '/quotas', '/teams/x', '/teams?limit=0', '/teams?page=0', '/api/v1/teams'];
  const answersIn = async (dialect?: 'reference' | DialectInput) => {
    const server = await servers.start({ seed, clock, dialect });
    expect((await server.control.status()).dialect).toBeUndefined();
    const timestamp = String(clock() / 1000);
    return Promise.all(targets.map((target) => callerOf(server).send('GET', target, { timestamp })));
  };
  const plain = await answersIn();
  expect(await answersIn('reference')).toEqual(plain);
  expect(await answersIn({ dialect: 1, list: { items: 'data' } })).toEqual(plain);
});

it('bare has bare lists with links, bare quotas, errors in `error`, and X-RateLimit-Reset', async () => {
  const clock = () => 1_700_000_000_000;
  const { server, caller } = await speaking('bare', { clock, rateLimit: { requests: 6, window: 9000 } });
  const get = (target: string, auth?: 'none') =>
    caller.send('GET', target, { timestamp: '1700000000', auth });
  const body = { name: 'one' };
  for (let made = 0; made < 2; made += 1) await caller.send('POST', '/teams', { body, auth: 'basic' });
  const page = await get('/teams?limit=1');
  expect(page).toMatchObject({ json: [body], headers: { link: '</teams?limit=1&page=2>; rel="next"' } });
  expect((await get('/teams?limit=5000')).json).toHaveLength(2);
  const error = 'limit must be one integer from 1 to 9999999999999';
  expect((await get('/teams?limit=0')).json).toEqual({ error });
  expect(at((await get('/quotas')).json, 'teams')).toEqual({ limit: 100, used: 2, remaining: 98 });
  expect((await get('/teams', 'none')).json).toEqual({ error: 'Invalid API key' });
  const { status, headers, json } = await get('/quotas');
  expect([status, json]).toEqual([429, { error: 'Too Many Requests' }]);
  expect(headers).toMatchObject({ 'x-ratelimit-reset': '1700000009', 'x-ratelimit-remaining': '0' });
  expect(headers).not.toHaveProperty('retry-after');
  const own = { statusCode: 404, message: 'Not Found' };
  expect((await controller(server)('GET', '/nothing')).json).toEqual(own);
});

// What the client reads of each preset, and of any dialect, is test/dialects's.
describe('cursor', () => {
  it('leads on when the row that it names is gone, and refuses a cursor that it has not given', async () => {
    const { caller } = await speaking('cursor');
    await createTeams(caller, 4);
    const first = await caller.send('GET', '/teams?limit=2');
    expect(first.json).toMatchObject({ items: [{ name: 'team 1' }, { name: 'team 2' }], has_more: true });
    expect((await caller.send('DELETE', `/teams/${at(first.json, 'items.1.id')}`)).status).toBe(204);
    const second = await caller.send('GET', `/teams?limit=2&cursor=${at(first.json, 'next_cursor')}`);
    const items = [{ name: 'team 3' }, { name: 'team 4' }];
    expect(second.json).toMatchObject({ items, has_more: false, next_cursor: null });
    expect(second.json).not.toHaveProperty('page');
    for (const cursor of ['', 'x', 'YWZ0ZXI', '__proto__', '%00', 'YWZ0ZXIgMQ&cursor=YWZ0ZXIgMQ']) {
      const { status, json, headers } = await caller.send('GET', `/teams?cursor=${cursor}`);
      expect([status, headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8']);
      expect(json).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
    }
  });

  it('ends where another organization has newer rows', async () => {
    const own = { name: 'a', teams: [{ name: 'one' }, { name: 'two' }] };
    const seed = { organizations: [own, { name: 'b', teams: [{ name: 'theirs' }] }] };
    const { caller } = await speaking('cursor', { seed });
    const { json } = await caller.send('GET', '/teams?limit=2');
    expect(json).toMatchObject({ items: own.teams, has_more: false, next_cursor: null });
  });

  it('shows a secret under its own name alone', async () => {
    const { caller } = await speaking('cursor');
    const { data } = Object((await caller.send('POST', '/api-keys', { body: { name: 'ci' } })).json);
    expect(data).toMatchObject({ secret_key: expect.stringMatching(/^\w{64}$/) });
    expect(data).not.toHaveProperty('secret');
  });
});

describe('camel', () => {
  it('answers below its base path alone, in its names, with numbers for IDs and text for counts', async () => {
    const { server, caller } = await speaking('camel');
    expect(server.url).toMatch(/:\d+\/api\/v1$/);
    await createTeams(caller, 3, '/api/v1/teams');
    const page = await caller.send('GET', '/api/v1/teams?pageSize=2&pageNumber=1');
    expect(page.json).toMatchObject({
      teams: [{ id: 3, name: 'team 3', createdAt: expect.stringMatching(/^20/) }],
      meta: { totalCount: '3', pageNumber: '1', pageSize: '2', totalPages: '2' },
    });
    expect(quotaHeadersOf(page)).toEqual(['100', '3', '97']);
    expect((await caller.send('GET', '/api/v1/teams/3')).json).toMatchObject({ team: { id: 3 } });
    const changed = await caller.send('PATCH', '/api/v1/teams/3', { body: { name: 'new' } });
    expect(changed.json).toMatchObject({ team: { id: 3, name: 'new' } });
    expect(await caller.send('DELETE', '/api/v1/teams/1')).toMatchObject({ status: 200, text: '{}' });
    const unknown = ['1', '0', '-1', '1.5', '1e3', 'team_x', '99', '9007199254740993', '%00'];
    const below = ['', 'x/teams', '/_control/status', '/healthz', ...unknown.map((id) => `/teams/${id}`)];
    for (const target of ['/teams', ...below.map((path) => `/api/v1${path}`)]) {
      expect([target, (await caller.send('GET', target)).status]).toEqual([target, 404]);
    }
    expect((await caller.send('GET', '/healthz', { auth: 'none' })).status).toBe(200);
    const status = { dialect: 'camel', url: server.url };
    expect((await controller(server)('GET', '/status')).json).toMatchObject(status);
  });

  it('lists problems of a body by field, and keeps the body of an exceeded quota', async () => {
    const { caller } = await speaking('camel', { quotas: { teams: 0 } });
    const body = { name: '', type: 'pg', config: { port: 'x' } };
    const bad = await caller.send('POST', '/api/v1/connections', { body });
    const name = { field: 'name', message: 'Too small: expected string to have >=1 characters' };
    const port = expect.objectContaining({ field: 'config.port' });
    expect(at(bad.json, 'errors')).toEqual(expect.arrayContaining([name, port]));
    const full = await caller.send('POST', '/api/v1/teams', { body: { name: 'a' } });
    const message = 'Quota exceeded: maximum 0 teams allowed per organization (currently: 0)';
    expect(full).toMatchObject({ status: 403, json: { statusCode: 403, message } });
  });

  it('answers a stub as it is written, also for a call whose answer has another form', async () => {
    const stubs = ['DELETE /teams/1=204', 'DELETE /teams/2=409 {"a":1}', 'POST /teams=201 {"id":"x"}'];
    const { caller } = await speaking('camel', { stubs });
    const answers = [];
    for (const [method, target] of [
      ['DELETE', '/teams/1'],
      ['DELETE', '/teams/2'],
      ['POST', '/teams'],
    ] as const) {
      const { status, text } = await caller.send(method, `/api/v1${target}`, { body: {} });
      answers.push([status, text]);
    }
    expect(answers).toEqual([
      [204, ''],
      [409, '{"a":1}'],
      [201, '{"id":"x"}'],
    ]);
  });

  it('takes fault rules and stubs by their paths without the base path, and explains what was signed', async () => {
    const { server, caller } = await speaking('camel', {
      faults: ['GET /teams=503x1'],
      stubs: ['GET /teams=200 ["by hand"]'],
    });
    expect((await caller.send('GET', '/api/v1/teams')).status).toBe(503);
    expect((await caller.send('GET', '/api/v1/teams')).json).toEqual(['by hand']);
    expect((await caller.send('GET', '/teams')).status).toBe(404);
    const signature = signedGet(server, '/quotas');
    await caller.send('GET', '/api/v1/quotas', { auth: 'none', headers: signature });
    const [entry] = await server.control.journal.get({ limit: 1 });
    expect(entry).toMatchObject({ target: '/api/v1/quotas', refusal: { mistake: 'base-path-missing' } });
    const { curl } = await server.control.journal.find(entry?.id ?? 0);
    expect(curl).toContain(`${server.url}/quotas`);
  });
});

describe('any other', () => {
  it('may sign without the base path', async () => {
    const { server, caller } = await speaking({ dialect: 1, basePath: '/v2', signedBasePath: false });
    const headers = signedGet(server, '/quotas');
    expect((await caller.send('GET', '/v2/quotas', { auth: 'none', headers })).status).toBe(200);
    expect((await caller.send('GET', '/v2/quotas')).status).toBe(401);
  });

  it('may page by the last ID, and refuses one that is none', async () => {
    const list = { paging: 'after', parameters: { page: 'starting_after' } } as const;
    const { caller } = await speaking({ dialect: 1, list });
    const { status, json } = await caller.send('GET', '/teams?starting_after=team_none');
    expect([status, at(json, 'message')]).toEqual([400, 'starting_after must be the ID of a team']);
  });

  it('may answer the whole list, with the total in a header; or refuse a page size, naming the limit', async () => {
    const whole = await speaking({ dialect: 1, list: { paging: 'none', totalHeader: 'X-Total-Count' } });
    await createTeams(whole.caller, 3);
    const answer = await whole.caller.send('GET', '/teams?limit=2');
    expect([at(answer.json, 'data.length'), answer.headers['x-total-count']]).toEqual([3, '3']);
    const { caller } = await speaking({ dialect: 1, list: { limit: { default: 3, max: 50 } } });
    const refused = (await caller.send('GET', '/teams?limit=100')).json;
    expect(at(refused, 'message')).toBe('limit must be one integer from 1 to 50');
    expect(at((await caller.send('GET', '/teams')).json, 'limit')).toBe(3);
  });

  it('may answer a creation with a Location alone, but never an API key', async () => {
    const item = { created: { status: 202, body: 'none' } } as const;
    const { caller } = await speaking({ dialect: 1, item });
    const { status, text, headers } = await caller.send('POST', '/teams', { body: { name: 'a' } });
    expect([status, text, headers['content-type']]).toEqual([202, '', undefined]);
    const location = String(headers['location']);
    expect((await caller.send('GET', location)).json).toMatchObject({ name: 'a' });
    const key = await caller.send('POST', '/api-keys', { body: { name: 'a' } });
    expect(at(key.json, 'secret')).toMatch(/^\w{64}$/);
  });

  it.each([
    ['upper', /^HTTP\/1\.1 401 Unauthorized\r\nCONTENT-TYPE: [\s\S]*\r\nDATE: /],
    ['lower', /^HTTP\/1\.1 401 Unauthorized\r\ncontent-type: [\s\S]*\r\ndate: /],
  ] as const)('may spell header names in %s case, in errors too', async (style, head) => {
    const { server } = await speaking({ dialect: 1, headers: { case: style } });
    const request = 'GET /teams HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect(await rawExchange(server, request)).toMatch(head);
  });

  it('may lack kinds, whose calls have no quota headers', async () => {
    const { caller } = await speaking({ dialect: 1, kinds: { teams: { missing: 501 } } });
    const answer = await caller.send('GET', '/teams');
    expect([answer.status, ...quotaHeadersOf(answer)]).toEqual([501, undefined, undefined, undefined]);
    expect((await caller.send('POST', '/teams', { body: { name: 'a' } })).status).toBe(501);
    expect((await caller.send('GET', '/connections')).status).toBe(200);
  });

  it('takes the names that it answers, and no others', async () => {
    const { caller } = await speaking({
      dialect: 1,
      item: { names: { name: 'title', id: 'uid' } },
      errors: 'errors',
    });
    const created = await caller.send('POST', '/teams', { body: { title: 'a' } });
    expect(created.json).toMatchObject({ uid: expect.stringMatching(/^team_/), title: 'a' });
    const refused = await caller.send('POST', '/teams', { body: { name: 'a' } });
    expect(at(refused.json, 'errors.0.field')).toBe('title');
    const poisoned = await caller.send('POST', '/teams', { body: '{"title":"a","__proto__":{"name":"b"}}' });
    expect(poisoned.status).toBe(400);
  });

  it.each([
    ['messages', { statusCode: 404, error: 'Not Found', message: ['Not Found'] }, 'retry-after', '7'],
    ['error.message', { error: { code: 404, message: 'Not Found' } }, 'ratelimit-reset', '7'],
    ['detail', { detail: 'Not Found' }, 'ratelimit', '"default";r=0;t=7'],
    ['text', undefined, 'none', undefined],
  ] as const)(
    'may word errors as %s %j, and say how long to wait as %s',
    async (errors, body, rateLimit, wait) => {
      const faults = ['GET /quotas=429:7s'] as const;
      const { caller } = await speaking({ dialect: 1, errors, headers: { rateLimit } }, { faults });
      const { json, text } = await caller.send('GET', '/nothing');
      expect(json).toEqual(body);
      if (errors === 'text') expect(text).toBe('Not Found\n');
      const { headers } = await caller.send('GET', '/quotas');
      expect(headers[rateLimit === 'none' ? 'retry-after' : rateLimit]).toBe(wait);
    },
  );

  it('keeps data, numbers and secrets over a restart in another dialect', async () => {
    const data = await servers.directory();
    const { server, caller } = await speaking('camel', { data });
    await createTeams(caller, 2, '/api/v1/teams');
    await caller.send('DELETE', '/api/v1/teams/1');
    await server.close();
    const plain = await servers.start({ data, dialect: 'bare' });
    const [team] = (await callerOf(plain).send('GET', '/teams')).json as unknown[];
    expect(team).toMatchObject({ id: expect.stringMatching(/^team_/), name: 'team 2' });
    await plain.close();
    const again = callerOf(await servers.start({ data, dialect: 'camel' }));
    const teams = [{ id: 2, name: 'team 2' }];
    expect((await again.send('GET', '/api/v1/teams')).json).toMatchObject({ teams });
  });

  it.each([
    [{ dialect: 2 }, 'dialect'],
    [{ dialect: 1, lists: {} }, 'lists'],
    [{ dialect: 1, list: { paging: 'pages' } }, 'list.paging'],
    [{ dialect: 1, list: { fields: { total: '__proto__' } } }, 'list.fields.total'],
    [{ dialect: 1, list: { totalHeader: 'X\r\nY' } }, 'list.totalHeader'],
    [{ dialect: 1, basePath: '/a/../b?x' }, 'basePath'],
    [{ dialect: 1, basePath: '/_control' }, 'basePath'],
    [{ dialect: 1, kinds: { users: { missing: 404 } } }, 'kinds.users'],
    ['unknown', 'unknown'],
    ['', 'unknown dialect'],
    [null, 'dialect'],
    [7, 'dialect'],
  ])('is not %j', async (dialect, field) => {
    // @ts-expect-error: what a program without types may pass
    const refused = servers.start({ dialect });
    await expect(refused).rejects.toThrow(field);
    await expect(refused).rejects.toMatchObject({ code: 'usage' });
  });
});
