import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { pageAnswer, scriptedService } from './support/scripted-service.js';

describe('names', () => {
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
