import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { at, Caller } from '../support/caller.js';
import { useServers } from '../support/servers.js';
import { controller } from './support/controller.js';

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

describe('each call that takes an organization affects only that organization', () => {
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
