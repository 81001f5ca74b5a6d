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
    ['-o', 'json'],
    ['-o', 'json', '--sort', 'name'],
    ['--query', '[]'],
  ])('is printed whole by list --all %s %s, and then is an error', async (...options) => {
    const { env } = await fullArray({ Link: '</teams?page=2>; rel="next"' });
    const ended = await runCli(['teams', 'list', '--all', ...options], { env });
    expect(ended.code).toBe(10);
    expect(JSON.parse(ended.stdout)).toHaveLength(100);
    expect(ended.stderr).toContain('the list of teams may be incomplete');
  });

  it.each([
    [{ 'X-Total-Count': '250' }, '/teams', 'reports 250 items, but 100 arrived'],
    [{}, '/teams?limit=100', 'which fills the page'],
  ])('is printed whole by request --paginate, and then is an error: %j', async (headers, target, why) => {
    const { env } = await fullArray(headers);
    const ended = await runCli(['request', 'GET', target, '--paginate'], { env });
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

  it.each([
    [
      'an empty list, although the quota in use counts 3',
      { data: [], code: 50001 },
      'reports 3 items, but 0 arrived',
    ],
    [
      'a list that is marked as a part',
      { data: [{ id: 't', name: 'a' }], total: 1, partial: true },
      '"partial": true',
    ],
    [
      'a list of 0 pages with rows',
      { data: teams, page: 1, pages: 0 },
      'nothing says that the list ends there',
    ],
    [
      'names in another field',
      { data: [{ id: 't', title: 'new' }], total: 1 },
      'the names cannot be read: { id: text, title: text }',
    ],
    [
      'names that are no text',
      { data: [{ id: 't', name: { en: 'new' } }], total: 1 },
      'the names cannot be read',
    ],
    ['names that are all null', { data: [{ id: 't', name: null }], total: 1 }, 'the names cannot be read'],
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

  it('may have rows without a name, which are left alone', async () => {
    const { env } = await scriptedService({
      'GET /teams': () =>
        httpAnswer(200, {
          data: [
            { id: 't', name: 'new' },
            { id: 'u', name: null },
          ],
          total: 2,
        }),
    });
    const ended = await runCli(['diff', '-', '--prune'], { env, stdin: file });
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('unchanged: 1 team') });
  });

  it('is one page without --all, with a note that there are more', async () => {
    const { env } = await fullArray({ Link: '</teams?page=2>; rel="next"', 'X-Total-Count': '250' });
    const ended = await runCli(['teams', 'list', '-o', 'json'], { env });
    expect(ended).toMatchObject({
      code: 0,
      stderr: '{"note":"showing 100 of 250, page 1; next page: --page 2; everything: --all"}\n',
    });
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

  // Every way in which pages lie: test/client/follow-pages.test.ts.
  it.each([
    ['total 5 with 2 rows', 2, () => ({ total: 5, page: 1, pages: 1 })],
    ['total -1 without rows', 0, () => ({ total: -1, page: 1, pages: 1 })],
    ['total 1e9 with 4,100 rows', 4100, () => ({ total: 1e9, page: 1, pages: 1 })],
    [
      'its last page counts fewer than came',
      2,
      (page: number) => ({ total: page === 1 ? 4 : 1, page, pages: 2 }),
    ],
    ['page 2 has the number 1', 2, () => ({ total: 4, page: 1, pages: 2 })],
  ])('is nothing to plan on where it says: %s', async (_why, rows, numbers) => {
    const { env, peer } = await scriptedService({
      'GET /teams': (request) => {
        const page = pageOf(request);
        const data = Array.from({ length: rows }, (_, at) => ({
          id: `team_${page}${at}`,
          name: `${page}-${at}`,
        }));
        return httpAnswer(200, { data, limit: Math.min(rows, 100), ...numbers(page) });
      },
      'GET /quotas': () => quotaAnswer(10),
    });
    const ended = await runCli(['apply', '-', '--yes', '--prune=all'], { env, stdin: file });
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
