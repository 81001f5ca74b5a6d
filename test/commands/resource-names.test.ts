import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { connectionExists, createConnections, fileOf } from './support/connection-entries.js';
import { organization } from './support/organization.js';
import { pageAnswer, pageOf, scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { connections: 50 } });

describe('names', () => {
  it('of several are refused with their IDs', async () => {
    const env = service.environment();
    const [first = ''] = await createConnections(env, 'twice');
    const renamed = await createConnections(env, 'once');
    await runCli(['connections', 'update', ...renamed, '--name', 'twice'], { env });
    const ended = await runCli(['connections', 'delete', 'twice', '--yes', '-o', 'json'], { env });
    expect(ended.code).toBe(2);
    const { message, hint } = errorOf(ended);
    for (const id of [first, ...renamed]) expect(message).toContain(id);
    expect(message).toMatch(/^2 connections have the name or ID "twice": .*; nothing was done$/);
    expect(hint).toContain('give the ID; to compare them: orgctl connections list --all');
    expect(await connectionExists(first, env)).toBe(true);
    await runCli(['connections', 'delete', first, ...renamed, '--yes'], { env });
  });

  it('and IDs without the usual form are looked for on all pages', async () => {
    const { env, peer } = await scriptedService({
      'GET /connections': (request) => {
        const page = pageOf(request);
        const name = page === 1 ? 'a' : 'b';
        return pageAnswer([{ id: `id-of-${name}`, name }], { total: 2, page, pages: 2 });
      },
      'GET /connections/id-of-b': () => httpAnswer(200, { id: 'id-of-b' }),
      'DELETE /connections/id-of-a': () => 'HTTP/1.1 204 No Content\r\n\r\n',
    });
    for (const [text, id] of [
      ['b', 'id-of-b'],
      ['id-of-b', 'id-of-b'],
    ]) {
      const ended = await runCli(['connections', 'get', String(text), '-o', 'json'], { env });
      expect(JSON.parse(ended.stdout)).toEqual({ id });
    }
    expect((await runCli(['connections', 'delete', 'id-of-a', '--yes'], { env })).code).toBe(0);
    expect(peer.requests.at(-1)).toMatchObject({ method: 'DELETE', target: '/connections/id-of-a' });
  });

  it('that are the ID of another resource are refused with both IDs', async () => {
    const teams = [
      { id: 6, name: 't5' },
      { id: 1001, name: '6' },
      { id: 7, name: '7' },
    ];
    const { env, peer } = await scriptedService({
      'GET /teams': () => httpAnswer(200, teams, { 'X-Total-Count': '3' }),
      'GET /teams/7': () => httpAnswer(200, teams[2]),
      'GET /teams/6': () => httpAnswer(200, teams[0]),
      'PATCH /teams/1001': () => httpAnswer(200, { id: 1001, name: 'NEW_NAME' }),
    });
    for (const args of [['get'], ['delete', '--yes'], ['update', '--name', 'x']]) {
      const ended = await runCli(['teams', ...args.slice(0, 1), '6', ...args.slice(1)], { env });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('2 teams have the name or ID "6": 6, 1001');
    }
    expect(peer.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await runCli(['teams', 'get', '7'], { env })).code).toBe(0);
  });

  it('that stand for nothing are said, with how to list', async () => {
    const ended = await runCli(['connections', 'get', 'conn_x', '-o', 'json'], {
      env: service.environment(),
    });
    expect(errorOf(ended)).toMatchObject({
      ...{ code: 'not_found', exitCode: 6, message: 'connection "conn_x" not found' },
      hint: expect.stringContaining('orgctl connections list'),
    });
  });
});

describe('a text that the whole list has neither as a name nor as an ID', () => {
  /** A service that reads the beginning of a path segment as its ID, as `parseInt` does. */
  async function lenientService() {
    const one = { id: 13, name: 'beta', enabled: true };
    const deleted = { id: 14, name: '13-gone', deleted: true };
    const lists = ['teams', 'connections', 'api-keys'].map((kind) => `GET /${kind}`);
    const calls = ['GET', 'PATCH', 'DELETE'].flatMap((method) =>
      ['/teams/13-old', '/connections/13-old', '/api-keys/13-old'].map((path) => `${method} ${path}`),
    );
    const { env, peer } = await scriptedService({
      ...Object.fromEntries(lists.map((call) => [call, () => pageAnswer([one, deleted], whole)])),
      ...Object.fromEntries(calls.map((call) => [call, () => httpAnswer(200, one)])),
      'GET /teams/14': () => httpAnswer(200, deleted),
      'DELETE /teams/13': () => 'HTTP/1.1 204 No Content\r\n\r\n',
    });
    const sent = () => peer.requests.map(({ method, target }) => `${method} ${target.replace(/\?.*/, '')}`);
    return { env, sent };
  }
  const whole = { total: 2, page: 1, pages: 1 };

  it.each([
    ['teams get 13-old'],
    ['teams update 13-old --name x'],
    ['teams delete 13-old --yes'],
    ['connections update 13-old --host x'],
    ['connections delete 13-old --yes'],
    ['api-keys disable 13-old --yes'],
    ['api-keys delete 13-old --yes'],
  ])('is not found, and nothing is sent: %s', async (line) => {
    const { env, sent } = await lenientService();
    const args = line.split(' ');
    const ended = await runCli([...args, '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 6, stdout: '' });
    expect(errorOf(ended)).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"13-old" not found'),
    });
    expect(sent()).toEqual([`GET /${args[0]}`]);
  });

  it('fails alone among several', async () => {
    const { env, sent } = await lenientService();
    const ended = await runCli(['teams', 'delete', '13-old', 'beta', '--yes', '-o', 'json'], { env });
    expect(ended.code).toBe(12);
    expect(JSON.parse(ended.stdout)).toMatchObject([
      { id: '13-old', result: 'failed', code: 'not_found' },
      { id: '13', result: 'deleted' },
    ]);
    expect(sent()).toEqual(['GET /teams', 'DELETE /teams/13']);
  });

  it('is not the ID of a record in another case; a record marked as deleted is not found', async () => {
    const { env } = await lenientService();
    for (const text of ['14', '13-gone'])
      expect(await runCli(['teams', 'get', text], { env })).toMatchObject({ code: 6 });
    const id = '0b9d2c1e-5a6f-4c3d-8e7b-1f2a3b4c5d6e';
    const typed = id.toUpperCase();
    const { env: other } = await scriptedService({
      'GET /teams': () => pageAnswer([{ id, name: 'a' }], { total: 1, page: 1, pages: 1 }),
      [`GET /teams/${typed}`]: () => httpAnswer(200, { id, name: 'a' }),
    });
    expect(await runCli(['teams', 'get', typed], { env: other })).toMatchObject({ code: 0 });
  });
});

it.each([
  ['connections', 'get', []],
  ['connections', 'delete', ['--yes']],
  ['api-keys', 'disable', ['--yes']],
])('IDs that would lead to another path are refused: %s %s', async (noun, verb, args) => {
  const { env, peer } = await scriptedService({});
  const lists = ['', '.', '..', '\ud800'].map((id) => (verb === 'disable' ? [id] : ['conn_1', id]));
  for (const ids of lists) {
    const ended = await runCli([noun, verb, ...ids, ...args], { env });
    expect(ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('cannot be an ID'),
    });
  }
  expect(await runCli([noun, verb, ...args], { env })).toMatchObject({ code: 2 });
  expect(peer.connections).toBe(0);
});

describe('a name that is empty or blank', () => {
  it.each([
    'teams create --name',
    'teams update team_1 --name',
    'api-keys create --name',
    'api-keys create --data',
    'api-keys update key_1 --name',
    'api-keys rotate --name',
    'connections create --host db --database app --user app --name',
    'connections update conn_1 --name',
    'teams create --file',
    'connections create --file',
    'apply --yes',
  ])('is refused before anything is sent: %s', async (line) => {
    const { env, peer } = await scriptedService({});
    for (const [name, why] of [
      ['', 'must not be empty'],
      [' \t\u00a0', 'must not be blank'],
    ] as const) {
      const refused = await runCli([...line.split(' '), blankValue(line, name), '-o', 'json'], { env });
      expect([refused.code, errorOf(refused)['message']], JSON.stringify(name)).toEqual([
        2,
        expect.stringContaining(why),
      ]);
    }
    expect(peer.requests).toEqual([]);
  });

  it('is refused by the service, which gets it from request', async () => {
    const env = service.environment();
    const refused = await runCli(['request', 'POST', '/teams', '-f', 'name= '], { env });
    expect(refused).toMatchObject({ code: 14, stdout: expect.stringContaining('must not be blank') });
  });
});

/** The last word of the line: the name, or a file or body with it. */
function blankValue(line: string, name: string): string {
  if (line.endsWith('--data')) return JSON.stringify({ name });
  if (line === 'apply --yes') return fileOf(organization({ teams: [{ name }] }), 'org.yaml');
  return line.endsWith('--file')
    ? fileOf(JSON.stringify({ name, type: 'other', config: {} }), 'one.json')
    : name;
}
