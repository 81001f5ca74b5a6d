import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { organization } from './support/organization.js';
import { pageOf, quotaAnswer, scriptedService } from './support/scripted-service.js';

const teams = Array.from({ length: 100 }, (_, at) => ({ id: `team_${at}`, name: `team-${at}` }));

/** A service whose list of teams is a full array with these headers, and says nothing else about its length. */
function fullArray(headers: Readonly<Record<string, string>> = {}) {
  return scriptedService({
    'GET /teams': () => httpAnswer(200, teams, headers),
    'GET /connections': () => httpAnswer(200, []),
    'GET /api-keys': () => httpAnswer(200, []),
    'GET /quotas': () => quotaAnswer(10),
  });
}

const file = organization({ teams: [{ name: 'new' }] });

describe('a list that is not proved whole', () => {
  it.each([
    [{ Link: '</teams?page=2>; rel="next"' }, 'teams list --all -o json', 'teams may be incomplete'],
    [
      { 'X-Total-Count': '250' },
      'request GET /teams --paginate',
      'the list of teams may be incomplete: the service reports 250 items',
    ],
  ])('is printed whole, and then is an error: %j, %s', async (headers, line, why) => {
    const { env } = await fullArray(headers);
    const ended = await runCli(line.split(' '), { env });
    expect(ended).toMatchObject({ code: 10, stderr: expect.stringContaining(why) });
    expect(JSON.parse(ended.stdout)).toHaveLength(100);
  });

  it.each<[args: string[], stdin?: string]>([
    [['teams', 'get', 'team-1']],
    [['teams', 'update', 'team-1', '--name', 'other']],
    [['teams', 'delete', 'team-1', '--yes']],
    [['teams', 'create', '--name', 'team-1', '--skip-existing']],
    [['diff', '-'], file],
    [['apply', '-', '--yes'], file],
    [['export']],
  ])('is nothing to plan on: %j', async (args, stdin) => {
    const { env, peer } = await fullArray();
    const ended = await runCli([...args, '-o', 'json'], { env, ...(stdin !== undefined && { stdin }) });
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ message: expect.stringContaining('teams may be incomplete') });
    expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('may have rows without a name, which are left alone', async () => {
    const data = [
      { id: 't', name: 'new' },
      { id: 'u', name: null },
    ];
    const { env } = await scriptedService({ 'GET /teams': () => httpAnswer(200, { data, total: 2 }) });
    const ended = await runCli(['diff', '-', '--prune'], { env, stdin: file });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('= 1 not in the file') });
  });

  it('does not show that a creation without an answer is to be repeated', async () => {
    const { env, posted } = await scriptedService({
      'GET /teams': ({ nth }) => httpAnswer(200, nth === 0 ? [] : teams),
      'GET /quotas': () => quotaAnswer(10),
      'POST /teams': (_request, socket) => void socket.destroy(),
    });
    const ended = await runCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin: file });
    expect(ended.code).toBe(12);
    expect(JSON.parse(ended.stdout)).toMatchObject([{ name: 'new', result: 'outcome unknown' }]);
    expect(posted()).toHaveLength(1);
  });

  it('has the quota of its last page', async () => {
    const { env } = await scriptedService({
      'GET /teams': (request) => {
        const page = pageOf(request);
        // A third team is deleted while the list is read.
        const quota = { 'X-Quota-Limit': '9', 'X-Quota-Used': page === 1 ? '3' : '2' };
        const team = { id: `team_${page}`, name: 'a' };
        return httpAnswer(200, { data: [team], total: 2, page, limit: 1, pages: 2 }, quota);
      },
    });
    const ended = await runCli(['teams', 'list', '--all', '--columns', 'id'], { env });
    expect(ended).toEqual({ code: 0, stdout: 'ID\nteam_1\nteam_2\n', stderr: '' });
  });

  // Every way in which pages lie: test/client/follow-pages.test.ts and foreign-lists.test.ts.
  it.each([
    ['an empty list, although 3 are in use', { data: [] }, 'reports 3 items, but 0 arrived'],
    ['0 pages with rows', { data: teams, page: 1, pages: 0 }, 'nothing says that the list ends there'],
    ['names elsewhere', { data: [{ id: 't', title: 'new' }], total: 1 }, 'cannot be read: { id: text, title'],
    ['no text as a name', { data: [{ id: 't', name: { en: 'a' } }], total: 1 }, 'the names cannot be read'],
    ['null for every name', { data: [{ id: 't', name: null }], total: 1 }, 'the names cannot be read'],
    [
      'no ID',
      { data: [{ name: 'a' }], total: 1 },
      'item 1 has no ID that a path can contain: { name: text }',
    ],
    ['null for an ID', { data: [{ id: null, name: 'a' }], total: 1 }, ': { id: null, name: text }'],
    ['no text for an ID', { data: [{ id: '', name: 'a' }], total: 1 }, ': { id: empty text, name: text }'],
    [
      'an object for an ID',
      { data: [{ id: { a: 1 } }], total: 1 },
      'item 1 has no ID that a path can contain: { id: { a: number } }',
    ],
    [
      'a fraction for an ID',
      { data: [...teams, { id: 1.5 }], total: 101 },
      'item 101 has no ID that a path can contain: { id: number }',
    ],
    [
      'a negative ID',
      { data: [{ id: -3, name: 'a' }], total: 1 },
      'item 1 has no ID that a path can contain: { id: number, name: text }',
    ],
    [
      'true for an ID',
      { data: [{ id: true, name: 'a' }], total: 1 },
      'has no ID that a path can contain: { id: boolean, name: text }',
    ],
    [
      'a path for an ID',
      { data: [...teams, { id: '..' }], total: 101 },
      'item 101 has no ID that a path can contain: { id: text }',
    ],
    [
      'an ID twice',
      { data: ['a', 'b'].map((name) => ({ id: 't', name })), total: 2 },
      'the ID t appears twice',
    ],
  ])('is nothing to plan on: %s', async (_what, list, why) => {
    const { env, peer } = await scriptedService({
      'GET /teams': () => httpAnswer(200, list),
      'GET /quotas': () => httpAnswer(200, { data: [{ teams: { limit: 9, used: 3, remaining: 6 } }] }),
    });
    const prune = ['apply', '-', '--yes', '--prune=all'];
    for (const args of [
      prune,
      ['teams', 'create', '--name', 'new', '--skip-existing'],
      ['teams', 'get', 'x'],
    ]) {
      const ended = await runCli(args, { env, stdin: file });
      expect([args, ended.code, ended.stderr]).toEqual([args, 10, expect.stringContaining(why)]);
    }
    expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
