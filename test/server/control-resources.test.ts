import { describe, expect, it } from 'vitest';
import { at } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServers } from './support/start.js';

const servers = useServers();
const connection = {
  name: 'app',
  type: 'postgresql',
  config: { host: 'db', port: 5432, database: 'app', user: 'app', password: 'Tr0ub4dor', ssl: true },
};

const names = (answer: { json: unknown }) => {
  const data = at(answer.json, 'data');
  return Array.isArray(data) ? data.map((one) => at(one, 'name')) : data;
};

describe('connections and teams through the control API', () => {
  it('are made, found, changed and deleted as by a client, without their password', async () => {
    const server = await servers.start();
    const control = controller(server);
    const made = await control('POST', '/connections', connection);
    expect(made.status).toBe(201);
    const path = `/connections/${String(at(made.json, 'id'))}`;
    const { password: _password, ...shown } = connection.config;
    expect(made.json).toMatchObject({ name: 'app', config: shown });
    const changed = await control('PATCH', path, { config: { host: 'db2' } });
    expect(at(changed.json, 'config')).toEqual({ ...shown, host: 'db2' });
    const texts = [made, changed, await control('GET', path), await control('GET', '/connections')];
    for (const { status, text } of texts) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain('Tr0ub4dor');
    }
    expect((await control('DELETE', path)).status).toBe(204);
    expect((await control('GET', path)).status).toBe(404);
  });

  it('are refused as to a client: by quota, schema and content type', async () => {
    const control = controller(await servers.start({ quotas: { teams: 0 } }));
    const message = 'Quota exceeded: maximum 0 teams allowed per organization (currently: 0)';
    expect((await control('POST', '/teams', { name: 'one' })).json).toEqual({ statusCode: 403, message });
    const wrong = await control('POST', '/connections', { ...connection, config: { port: 0 } });
    expect(at(wrong.json, 'message')).toContain('config.port');
    const untyped = { 'content-type': 'text/plain' };
    expect((await control('POST', '/teams', '{"name":"x"}', untyped)).status).toBe(415);
    expect((await control('GET', '/teams?limit=0')).status).toBe(400);
    expect((await control('GET', '/teams?unknown=1')).status).toBe(400);
  });

  it('are found by a part of their name or by their ID, a page at a time', async () => {
    const control = controller(await servers.start());
    for (const name of ['alpha', 'Alphabet', '100%', 'a_b']) await control('POST', '/teams', { name });
    const first = await control('GET', '/teams?search=ALPHA&limit=1');
    expect(first.json).toMatchObject({ total: 2, page: 1, limit: 1, pages: 2 });
    expect(names(first)).toEqual(['alpha']);
    expect(names(await control('GET', '/teams?search=ALPHA&limit=1&page=2'))).toEqual(['Alphabet']);
    // What stands for others elsewhere stands for itself.
    expect(names(await control('GET', '/teams?search=%25'))).toEqual(['100%']);
    expect(names(await control('GET', '/teams?search=_'))).toEqual(['a_b']);
    const id = String(at((await control('GET', '/teams?search=100')).json, 'data.0.id'));
    expect(names(await control('GET', `/teams?search=${id}`))).toEqual(['100%']);
    expect((await control('GET', '/teams?search=')).json).toMatchObject({ total: 4 });
    await control('POST', '/connections', connection);
    expect(names(await control('GET', '/connections?search=ap'))).toEqual(['app']);
    expect((await control('GET', '/connections?search=zz')).json).toMatchObject({ total: 0, data: [] });
  });
});
