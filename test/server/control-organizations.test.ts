import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { at, Caller } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServers } from './support/start.js';

const servers = useServers();

const seed = {
  organizations: ['one', 'two', 'three'].map((name, nth) => ({
    id: `org_${name}`,
    name,
    keys: [{ id: `key_${name}` }],
    teams: [{ id: `team_${name}`, name: `team ${name}` }],
    quotas: { teams: 11 + nth },
  })),
};

/** What the calls change, in lines: each key and team, and the quotas, of each organization. */
async function state(server: RunningServer): Promise<string[]> {
  const lines = (await server.control.keys.list()).map(({ organization, id }) => `${organization} ${id}`);
  for (const { id, quotas } of await server.control.organizations.list()) {
    lines.push(`${id} ${JSON.stringify(quotas['teams']?.limit)}`);
    lines.push(`${id} ${(await controller(server)('GET', `/teams?organization=${id}`)).text}`);
  }
  return lines;
}

const organization = 'org_two';
type Row = [method: string, target: string, body: object | undefined, status: number, says: string];

/** With what a read says. The others are changes, and say ''. */
const rows: Row[] = [
  ['GET', '/quotas?organization=org_two', undefined, 200, '"limit":12'],
  ['PUT', '/quotas', { organization, limits: { teams: 3 } }, 200, ''],
  ['GET', '/keys?organization=org_two', undefined, 200, '"key_two"'],
  ['POST', '/keys', { organization }, 201, ''],
  ['POST', '/requests', { organization, method: 'GET', target: '/teams' }, 200, '"key_two"'],
  ['GET', '/teams?organization=org_two', undefined, 200, '"team_two"'],
  ['POST', '/teams?organization=org_two', { name: 'new' }, 201, ''],
  ['GET', '/teams/team_two?organization=org_two', undefined, 200, '"team_two"'],
  ['PATCH', '/teams/team_two?organization=org_two', { name: 'new' }, 200, ''],
  ['DELETE', '/teams/team_two?organization=org_two', undefined, 204, ''],
];

describe('each call that takes an organization is about that one, and about no other', () => {
  it.each(rows)('%s %s', async (method, target, body, expected, says) => {
    const server = await servers.start({ seed });
    const before = await state(server);
    const { status, text } = await controller(server)(method, target, body);
    expect(status).toBe(expected);
    expect(text).toContain(says);
    expect(text).not.toMatch(/_one|_three/);
    const after = await state(server);
    const changed = [...before, ...after].filter((line) => before.includes(line) !== after.includes(line));
    expect(new Set(changed.map((line) => line.split(' ')[0]))).toEqual(
      new Set(says === '' ? [organization] : []),
    );
    const none = (text: string) => text.replaceAll(organization, 'org_none');
    const unknown = body && JSON.parse(none(JSON.stringify(body)));
    expect((await controller(server)(method, none(target), unknown)).status).toBe(404);
  });
});

it('an organization is created with a key, which works at once', async () => {
  const server = await servers.start();
  const created = await server.control.organizations.create({ quotas: { teams: 1 } });
  const byHttp = await controller(server)('POST', '/organizations', { name: 'other' });
  expect([byHttp.status, byHttp.json]).toEqual([201, expect.objectContaining({ name: 'other' })]);
  for (const [credential, limit] of [
    [created, 1],
    [byHttp.json, 20],
  ] as const) {
    const [keyId, secret] = [String(at(credential, 'keyId')), String(at(credential, 'secret'))];
    const quotas = await new Caller({ url: server.url, keyId, secret }).send('GET', '/quotas');
    expect(quotas.json).toMatchObject({
      data: [{ teams: { limit, used: 0 }, 'api-keys': { used: 1 } }],
    });
  }
  expect(await server.control.organizations.list()).toMatchObject([
    { id: server.organization },
    { id: created.id },
    { name: 'other' },
  ]);
});

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
