import { describe, expect, it } from 'vitest';
import { at, quotaHeadersOf, signedGet } from '../support/caller.js';
import { useServer } from '../support/servers.js';

const time = Date.parse('2026-01-02T03:04:05.678Z');
let now = time;
const context = useServer({ clock: () => now, quotas: { teams: 100, connections: 100, 'api-keys': 100 } });

function send(method: string, target: string, body?: unknown) {
  return context.caller.send(method, target, { body, timestamp: String(Math.floor(now / 1000)) });
}

const pg = {
  name: 'main',
  type: 'postgresql',
  config: { host: 'db.test', port: 5432, database: 'd', user: 'u', password: 'hunter2', ssl: true },
};

describe('connections', () => {
  it('POST returns 201 and the record, without the password and fields that may be secret', async () => {
    const secrets = {
      sslkey: 's-1',
      pw: 's-2',
      nested: { user: 's-3' },
      url: 'postgres://u:s-4@h/d',
      list: ['s-5'],
    };
    const answer = await send('POST', '/connections', { ...pg, config: { ...pg.config, ...secrets } });
    const { password: _, ...config } = pg.config;
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^conn_[0-9a-f]{24}$/),
      name: 'main',
      type: 'postgresql',
      config,
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-02T03:04:05.678Z',
    });
    const target = `/connections/${String(at(answer.json, 'id'))}`;
    expect((await send('GET', target)).json).toEqual(answer.json);
    expect((await send('GET', '/connections')).text).not.toMatch(/s-[1-5]|hunter2/);
    expect((await send('PATCH', target, { config: { passwd: 's-6' } })).json).toEqual(answer.json);
    const misplaced = { host: 'postgres://u:s-7@h/d', database: 'd password=s-8', user: 'f'.repeat(64) };
    const { json } = await send('PATCH', target, { config: misplaced });
    expect(at(json, 'config')).toEqual({ port: 5432, ssl: true });
  });

  it('PATCH takes any subset, and keeps the password; the whole has at most 64 KiB', async () => {
    const id = String(at((await send('POST', '/connections', pg)).json, 'id'));
    now += 1000;
    const answer = await send('PATCH', `/connections/${id}`, { config: { port: 6432 } });
    now = time;
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      id,
      name: 'main',
      config: { host: 'db.test', port: 6432 },
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-02T03:04:06.678Z',
    });
    // Were the password gone, the whole would not fit its type any more.
    const renamed = await send('PATCH', `/connections/${id}`, { name: 'other' });
    expect(renamed.json).toMatchObject({ name: 'other', config: { port: 6432 } });
    expect((await send('PATCH', `/connections/${id}`, {})).status).toBe(200);
    const other = { name: 'other', type: 'mysql', config: { host: 'a' } };
    const target = `/connections/${at((await send('POST', '/connections', other)).json, 'id')}`;
    expect((await send('PATCH', target, { type: 'pg' })).status).toBe(400);
    const patch = async (...names: string[]) => {
      const config = Object.fromEntries(names.map((name) => [name, 'x'.repeat(20_000)]));
      return (await send('PATCH', target, { config })).status;
    };
    expect([await patch('a', 'b'), await patch('c'), await patch('d')]).toEqual([200, 200, 400]);
  });

  it('two PATCHes at once lose neither change', async () => {
    const id = String(at((await send('POST', '/connections', pg)).json, 'id'));
    await Promise.all([
      send('PATCH', `/connections/${id}`, { config: { host: 'a' } }),
      send('PATCH', `/connections/${id}`, { config: { user: 'b' } }),
    ]);
    const merged = { config: { host: 'a', user: 'b' } };
    expect((await send('GET', `/connections/${id}`)).json).toMatchObject(merged);
  });
});

describe('API keys', () => {
  it('POST answers 201 and the record with its secret, which works and is never shown again', async () => {
    const answer = await send('POST', '/api-keys', { name: 'ci' });
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
      name: 'ci',
      enabled: true,
      last_used_at: null,
      created_at: '2026-01-02T03:04:05.678Z',
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const id = String(at(answer.json, 'id'));
    const secret = String(at(answer.json, 'secret'));
    const credential = { keyId: id, secret };
    const list = await context.caller.send('GET', '/api-keys?limit=100', { auth: 'basic', credential });
    expect(list.status).toBe(200);
    expect(list.text).toContain(id);
    expect(list.text).not.toContain('secret');
    expect((await send('GET', `/api-keys/${id}`)).text).not.toContain('secret');
    expect((await send('PATCH', `/api-keys/${id}`, { name: 'x' })).text).not.toContain('secret');
  });

  it('PATCH renames and disables, and never enables; POST can create a disabled key [ours]', async () => {
    for (const enabled of [undefined, true, false]) {
      const { status, json } = await send('POST', '/api-keys', { name: 'a', enabled });
      expect([status, at(json, 'enabled')]).toEqual([201, enabled ?? true]);
      const credential = { keyId: String(at(json, 'id')), secret: String(at(json, 'secret')) };
      const used = await context.caller.send('GET', '/quotas', { auth: 'basic', credential });
      expect(used.status).toBe(enabled === false ? 403 : 200);
      const lastUse = at((await send('GET', `/api-keys/${credential.keyId}`)).json, 'last_used_at');
      expect(lastUse === null).toBe(enabled === false);
    }
    const target = `/api-keys/${at((await send('POST', '/api-keys', { name: 'a' })).json, 'id')}`;
    expect((await send('PATCH', target, { name: 'b' })).json).toMatchObject({ name: 'b', enabled: true });
    expect((await send('PATCH', target, { enabled: false })).json).toMatchObject({ enabled: false });
    const refused = await send('PATCH', target, { enabled: true });
    expect(refused.status).toBe(400);
    expect(at(refused.json, 'message')).toContain('management console');
    expect((await send('GET', target)).json).toMatchObject({ name: 'b', enabled: false });
  });
});

describe.each([
  ['connections', pg],
  ['api-keys', { name: 'a' }],
  ['teams', { name: 'a' }],
] as const)('every method of %s', (kind, body) => {
  it('refuses a limit or page out of its bounds with 400', async () => {
    const queries = ['limit=0', 'limit=101', 'limit=ten', 'limit=1.5', 'limit=', 'page=0', 'page=1&page=2'];
    for (const query of queries) expect((await send('GET', `/${kind}?${query}`)).status).toBe(400);
  });

  it('answers HEAD as GET, without the body [ours]', async () => {
    const id = String(at((await send('POST', `/${kind}`, body)).json, 'id'));
    const targets = [`/${kind}?limit=1`, `/${kind}/${id}`, `/${kind}/unknown`, `/${kind}?page=0`, '/quotas'];
    for (const target of targets) {
      const [asked, got] = [await send('HEAD', target), await send('GET', target)];
      expect(asked).toMatchObject({ status: got.status, text: '' });
      expect(got.text).not.toBe('');
      expect(quotaHeadersOf(asked)).toEqual(quotaHeadersOf(got));
      for (const name of ['content-type', 'content-length']) {
        expect(asked.headers[name]).toBe(got.headers[name]);
      }
    }
    // It is signed as what it is.
    const headers = signedGet(context.server, `/${kind}`, String(Math.floor(now / 1000)));
    expect((await context.caller.send('HEAD', `/${kind}`, { auth: 'none', headers })).status).toBe(401);
  });
});
