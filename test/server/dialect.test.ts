import { describe, expect, it } from 'vitest';
import { at, quotaHeadersOf, signedGet } from './support/caller.js';
import { controller } from './support/controller.js';
import { rawExchange } from './support/raw-exchange.js';
import { callerOf, createTeams, useDialects } from './support/speaking.js';

const { servers, speaking } = useDialects();

function namesOf(items: unknown): unknown[] {
  return Array.isArray(items) ? items.map((item) => at(item, 'name')) : [];
}

describe('reference', () => {
  it('answers byte for byte as a server without a dialect', async () => {
    const seed = { organizations: [{ name: 'a', teams: [{ id: 'team_a', name: 'a' }] }] };
    const clock = () => Date.parse('2026-01-02T03:04:05Z');
    const answers = [];
    for (const dialect of [undefined, 'reference', { dialect: 1, list: { items: 'data' } }] as const) {
      const server = await servers.start({ seed, clock, dialect });
      expect((await server.control.status()).dialect).toBeUndefined();
      const timestamp = String(clock() / 1000);
      const caller = callerOf(server);
      const texts = [];
      for (const target of [
        '/teams',
        '/quotas',
        '/teams/x',
        '/teams?limit=0',
        '/teams?page=0',
        '/api/v1/teams',
      ]) {
        const { status, text, headers } = await caller.send('GET', target, { timestamp });
        texts.push([status, text, headers]);
      }
      answers.push(texts);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});

describe('bare', () => {
  it('lists as an array, with links to further pages', async () => {
    const { caller } = await speaking('bare');
    await createTeams(caller, 5);
    const names: unknown[] = [];
    let target: string | undefined = '/teams?limit=2';
    for (let page = 0; target !== undefined && page < 9; page += 1) {
      const answer = await caller.send('GET', target);
      names.push(...namesOf(answer.json));
      target = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1];
    }
    expect(names).toEqual(['team 1', 'team 2', 'team 3', 'team 4', 'team 5']);
    expect((await caller.send('GET', '/teams?limit=5000')).json).toHaveLength(5);
    expect((await caller.send('GET', '/teams?limit=0')).json).toEqual({
      error: 'limit must be one integer from 1 to 9999999999999',
    });
  });

  it('has bare quotas, errors in `error`, and the time of the next request in X-RateLimit-Reset', async () => {
    const clock = () => 1_700_000_000_000;
    const { server, caller } = await speaking('bare', { clock, rateLimit: { requests: 2, window: 9000 } });
    const timestamp = '1700000000';
    const quotas = await caller.send('GET', '/quotas', { timestamp });
    expect(at(quotas.json, 'teams')).toEqual({ limit: 100, used: 0, remaining: 100 });
    expect((await caller.send('GET', '/teams', { auth: 'none' })).json).toEqual({ error: 'Invalid API key' });
    await caller.send('GET', '/quotas', { timestamp });
    const { status, headers, json } = await caller.send('GET', '/quotas', { timestamp });
    expect([status, json]).toEqual([429, { error: 'Too Many Requests' }]);
    expect(headers).toMatchObject({ 'x-ratelimit-reset': '1700000009', 'x-ratelimit-remaining': '0' });
    expect(headers).not.toHaveProperty('retry-after');
    expect((await controller(server)('GET', '/nothing')).json).toEqual({
      statusCode: 404,
      message: 'Not Found',
    });
  });
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

  it.each(['', 'x', 'YWZ0ZXI', '../../etc/passwd', '__proto__', '%00', 'YWZ0ZXIgMQ&cursor=YWZ0ZXIgMQ'])(
    'refuses the cursor %j',
    async (cursor) => {
      const { caller } = await speaking('cursor');
      const { status, json, headers } = await caller.send('GET', `/teams?cursor=${cursor}`);
      expect([status, headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8']);
      expect(json).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
    },
  );

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
    expect(await caller.send('DELETE', '/api/v1/teams/3')).toMatchObject({ status: 200, text: '{}' });
    for (const target of [
      '/teams',
      '/api/v1',
      '/api/v1x/teams',
      '/api/v1/_control/status',
      '/api/v1/healthz',
    ]) {
      expect([target, (await caller.send('GET', target)).status]).toEqual([target, 404]);
    }
    expect((await caller.send('GET', '/healthz', { auth: 'none' })).status).toBe(200);
    expect((await controller(server)('GET', '/status')).json).toMatchObject({
      dialect: 'camel',
      url: server.url,
    });
  });

  it.each(['0', '-1', '1.5', '1e3', 'team_x', '99', '9007199254740993', '%00'])(
    'has no team %s',
    async (id) => {
      const { caller } = await speaking('camel');
      const answer = await caller.send('GET', `/api/v1/teams/${id}`);
      expect(answer).toMatchObject({ status: 404, json: { errors: [{ message: 'Not Found' }] } });
    },
  );

  it('keeps the ID of a key as requests name it, and shows its secret as apiSecret', async () => {
    const { caller } = await speaking('camel');
    const { status, json } = await caller.send('POST', '/api/v1/api-keys', { body: { name: 'ci' } });
    expect(status).toBe(200);
    const credential = { keyId: String(at(json, 'apiKey.id')), secret: String(at(json, 'apiKey.apiSecret')) };
    expect(credential.keyId).toMatch(/^key_/);
    expect((await caller.send('GET', '/api/v1/quotas', { credential })).json).toMatchObject({
      quotas: { 'api-keys': { limit: '5', used: '2', remaining: '3' } },
    });
    const listed = await caller.send('GET', '/api/v1/api-keys');
    expect(listed.json).toMatchObject({ apiKeys: [{}, { lastUsedAt: expect.stringMatching(/^20/) }] });
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
