import { describe, expect, it } from 'vitest';
import type { DialectInput } from '../../src/server/index.js';
import { at, quotaHeadersOf, signedGet } from './support/caller.js';
import { controller } from './support/controller.js';
import { rawExchange } from './support/raw-exchange.js';
import { callerOf, createTeams, useDialects } from './support/speaking.js';

const { servers, speaking } = useDialects();

function namesOf(items: unknown): unknown[] {
  return Array.isArray(items) ? items.map((item) => at(item, 'name')) : [];
}

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

describe('cursor', () => {
  it('leads from page to page, also when the row that it names is gone', async () => {
    const { caller } = await speaking('cursor');
    await createTeams(caller, 4);
    const first = await caller.send('GET', '/teams?limit=2');
    expect(first.json).toMatchObject({ items: [{ name: 'team 1' }, { name: 'team 2' }], has_more: true });
    const last = at(first.json, 'items.1.id');
    expect((await caller.send('DELETE', `/teams/${String(last)}`)).status).toBe(204);
    const second = await caller.send('GET', `/teams?limit=2&cursor=${String(at(first.json, 'next_cursor'))}`);
    expect(namesOf(at(second.json, 'items'))).toEqual(['team 3', 'team 4']);
    expect(second.json).toMatchObject({ has_more: false, next_cursor: null });
    expect(second.json).not.toHaveProperty('page');
  });

  it('refuses a cursor that it has not given', async () => {
    const { caller } = await speaking('cursor');
    for (const cursor of ['', 'x', 'YWZ0ZXI', '__proto__', '%00', 'YWZ0ZXIgMQ&cursor=YWZ0ZXIgMQ']) {
      const { status, json, headers } = await caller.send('GET', `/teams?cursor=${cursor}`);
      expect([status, headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8']);
      expect(json).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
    }
  });

  it('has single answers in `data`, the secret under its name, quotas as a list, names in lower case', async () => {
    const { server, caller } = await speaking('cursor');
    const created = await caller.send('POST', '/api-keys', { body: { name: 'ci' } });
    expect(created.status).toBe(201);
    expect(at(created.json, 'data.secret_key')).toMatch(/^\w{64}$/);
    expect(at(created.json, 'data')).not.toHaveProperty('secret');
    expect((await caller.send('GET', '/quotas')).json).toContainEqual({
      kind: 'teams',
      limit: 100,
      used: 0,
      remaining: 100,
    });
    const target = '/teams';
    const lines = Object.entries(signedGet(server, target)).map(([name, value]) => `${name}: ${value}`);
    const request = [`GET ${target} HTTP/1.1`, 'Host: a', 'Connection: close', ...lines, '', ''].join('\r\n');
    expect(await rawExchange(server, request)).toContain('\r\nx-quota-limit: 100\r\n');
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
    expect((await controller(server)('GET', '/status')).json).toMatchObject({
      dialect: 'camel',
      url: server.url,
    });
  });

  it('lists problems of a body by field, and keeps the body of an exceeded quota', async () => {
    const { caller } = await speaking('camel', { quotas: { teams: 0 } });
    const bad = await caller.send('POST', '/api/v1/connections', {
      body: { name: '', type: 'pg', config: { port: 'x' } },
    });
    expect(at(bad.json, 'errors')).toContainEqual({ field: 'name', message: 'must not be empty' });
    const fields = (at(bad.json, 'errors') as { field: string }[]).map(({ field }) => field);
    expect(fields).toContain('config.port');
    const full = await caller.send('POST', '/api/v1/teams', { body: { name: 'a' } });
    expect(full).toMatchObject({
      status: 403,
      json: {
        statusCode: 403,
        message: 'Quota exceeded: maximum 0 teams allowed per organization (currently: 0)',
      },
    });
  });

  it('streams large connections in its form', async () => {
    const { caller } = await speaking('camel');
    const config = { description: 'x'.repeat(100_000) };
    for (const name of ['a', 'b']) {
      await caller.send('POST', '/api/v1/connections', { body: { name, type: 'x', config } });
    }
    const { json, headers } = await caller.send('GET', '/api/v1/connections');
    expect(headers['transfer-encoding']).toBe('chunked');
    expect(json).toMatchObject({
      connections: [
        { id: 1, name: 'a', updatedAt: expect.any(String) },
        { id: 2, name: 'b' },
      ],
      meta: { totalCount: '2' },
    });
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

  it('may page by the last ID', async () => {
    const fields = { hasMore: 'has_more' };
    const list = { paging: 'after', parameters: { page: 'starting_after' }, fields } as const;
    const { caller } = await speaking({ dialect: 1, list });
    await createTeams(caller, 3);
    const first = await caller.send('GET', '/teams?limit=2');
    expect(first.json).toMatchObject({ has_more: true, total: 3 });
    const after = String(at(first.json, 'data.1.id'));
    const second = await caller.send('GET', `/teams?limit=2&starting_after=${after}`);
    expect(second.json).toMatchObject({ has_more: false, data: [{ name: 'team 3' }] });
    const refused = await caller.send('GET', '/teams?starting_after=team_none');
    expect(refused).toMatchObject({
      status: 400,
      json: { message: 'starting_after must be the ID of a team' },
    });
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

  it('may spell header names in capitals, in errors too', async () => {
    const { server } = await speaking({ dialect: 1, headers: { case: 'upper' } });
    const answer = await rawExchange(server, 'GET /teams HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\nCONTENT-TYPE: [\s\S]*\r\nDATE: /);
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
    ['messages', { statusCode: 404, error: 'Not Found', message: ['Not Found'] }],
    ['error.message', { error: { code: 404, message: 'Not Found' } }],
    ['detail', { detail: 'Not Found' }],
    ['text', undefined],
  ] as const)('may word errors as %s', async (errors, body) => {
    const { caller } = await speaking({ dialect: 1, errors });
    const answer = await caller.send('GET', '/nothing');
    expect(answer.json).toEqual(body);
    if (errors === 'text') expect(answer.text).toBe('Not Found\n');
  });

  it.each([
    ['retry-after', 'retry-after', '7'],
    ['ratelimit-reset', 'ratelimit-reset', '7'],
    ['ratelimit', 'ratelimit', '"default";r=0;t=7'],
    ['none', 'retry-after', undefined],
  ] as const)('may say how long to wait as %s', async (rateLimit, header, value) => {
    const { caller } = await speaking({ dialect: 1, headers: { rateLimit } }, { faults: ['* *=429:7s'] });
    expect((await caller.send('GET', '/quotas')).headers[header]).toBe(value);
  });

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
    expect((await again.send('GET', '/api/v1/teams')).json).toMatchObject({
      teams: [{ id: 2, name: 'team 2' }],
    });
  });

  it.each([
    [{ dialect: 2 }, 'dialect'],
    [{ dialect: 1, lists: {} }, 'lists'],
    [{ dialect: 1, list: { paging: 'pages' } }, 'list.paging'],
    [{ dialect: 1, list: { fields: { total: '__proto__' } } }, 'list.fields.total'],
    [{ dialect: 1, list: { totalHeader: 'X\r\nY' } }, 'list.totalHeader'],
    [{ dialect: 1, basePath: '/a/../b?x' }, 'basePath'],
    [{ dialect: 1, basePath: '/_control' }, 'basePath'],
    [{ dialect: 1, list: { paging: 'cursor' } }, 'list.fields.next'],
    [{ dialect: 1, list: { paging: 'link', parameters: { page: null } } }, 'list.parameters.page'],
    [{ dialect: 1, list: { fields: { total: 'data' } } }, 'list.fields'],
    [{ dialect: 1, list: { limit: { default: 200 } } }, 'list.limit.default'],
    [{ dialect: 1, item: { names: { name: 'id' } } }, 'item.names'],
    [{ dialect: 1, item: { names: { ID: '_id' } } }, 'item.names.ID'],
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
