import { describe, expect, it } from 'vitest';
import { at, quotaHeadersOf, signedGet } from './support/caller.js';
import { rawExchange } from './support/raw-exchange.js';
import { callerOf, createTeams, useDialects } from './support/speaking.js';

const { servers, speaking } = useDialects();

describe('any other', () => {
  it('may sign without the base path', async () => {
    const { server, caller } = await speaking({ dialect: 1, basePath: '/v2', signedBasePath: false });
    const headers = signedGet(server, '/quotas');
    expect((await caller.send('GET', '/v2/quotas', { auth: 'none', headers })).status).toBe(200);
    expect((await caller.send('GET', '/v2/quotas')).status).toBe(401);
  });

  it('may page by the last ID', async () => {
    const list = {
      paging: 'after',
      parameters: { page: 'starting_after' },
      fields: { hasMore: 'has_more' },
    } as const;
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

  it('may answer the whole list, or the address of the next page, with the total in a header', async () => {
    const whole = await speaking({ dialect: 1, list: { paging: 'none', totalHeader: 'X-Total-Count' } });
    await createTeams(whole.caller, 25);
    const answer = await whole.caller.send('GET', '/teams?limit=2');
    expect(at(answer.json, 'data')).toHaveLength(25);
    expect(answer.headers['x-total-count']).toBe('25');
    const next = await speaking({ dialect: 1, list: { paging: 'next', fields: { next: 'next_url' } } });
    await createTeams(next.caller, 3);
    const first = await next.caller.send('GET', '/teams?limit=2');
    expect(at(first.json, 'next_url')).toBe('/teams?limit=2&page=2');
    expect(at((await next.caller.send('GET', '/teams?limit=2&page=2')).json, 'next_url')).toBeNull();
  });

  it('may refuse a page size, naming the limit', async () => {
    const { caller } = await speaking({ dialect: 1, list: { limit: { default: 3, max: 50 } } });
    expect((await caller.send('GET', '/teams?limit=100')).json).toMatchObject({
      message: 'limit must be one integer from 1 to 50',
    });
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
