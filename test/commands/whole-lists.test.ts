import { describe, expect, it } from 'vitest';
import type { Resource } from '../../src/api/resources/resource.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { organization } from './support/organization.js';
import { quotaAnswer, scriptedService } from './support/scripted-service.js';

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

  it('is printed whole by request --paginate, and then is an error', async () => {
    const { env } = await fullArray({ 'X-Total-Count': '250' });
    const ended = await runCli(['request', 'GET', '/teams', '--paginate'], { env });
    expect(ended).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('reports 250 items, but 100 arrived'),
    });
    expect(JSON.parse(ended.stdout)).toHaveLength(100);
    const limited = await runCli(['request', 'GET', '/teams?limit=100', '--paginate'], {
      env: (await fullArray()).env,
    });
    expect(limited).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('which fills the page'),
    });
  });

  it.each<[args: string[], stdin?: string]>([
    [['teams', 'get', 'team-1']],
    [['teams', 'get', 'missing']],
    [['teams', 'update', 'team-1', '--name', 'other']],
    [['teams', 'delete', 'team-1', '--yes']],
    [['teams', 'create', '--name', 'new', '--skip-existing']],
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

  const many = Array.from({ length: 4100 }, (_, at) => ({ id: `team_${at}`, name: `t-${at}` }));

  it.each([
    { says: 'total 5', rows: 2, envelope: { total: 5, page: 1, limit: 100, pages: 1 } },
    { says: 'total -1', rows: 0, envelope: { total: -1, page: 1, limit: 100, pages: 1 } },
    { says: 'total 1e9', rows: 4100, envelope: { total: 1e9, page: 1, limit: 100, pages: 1 } },
  ])('is nothing to plan on where it says $says with $rows rows', async ({ rows, envelope }) => {
    for (const args of [['diff', '-'], ['apply', '-', '--yes', '--prune=all'], ['export']]) {
      const { env, peer } = await scriptedService({
        'GET /teams': () => httpAnswer(200, { data: many.slice(0, rows), ...envelope }),
        'GET /connections': () => httpAnswer(200, []),
        'GET /api-keys': () => httpAnswer(200, []),
        'GET /quotas': () => quotaAnswer(10),
      });
      const ended = await runCli(args, { env, stdin: file });
      expect([args, ended]).toMatchObject([args, { code: 10, stdout: '' }]);
      expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
    }
  });

  it.each<[why: string, totals: number[], pages: Resource[][]]>([
    ['rows come again in another order', [4, 4], [many.slice(0, 2), many.slice(0, 2).toReversed()]],
    ['the last page counts fewer than came, and nothing went', [4, 1], [many.slice(0, 2), many.slice(2, 4)]],
    ['page 2 has the number 1', [4, 4], [many.slice(0, 2), many.slice(2, 4)]],
  ])('is nothing to plan on where pages lie: %s', async (why, totals, pages) => {
    const { env, peer } = await scriptedService({
      'GET /teams': ({ target }) => {
        const at = Number(new URL(target, 'http://peer').searchParams.get('page') ?? 1);
        const page = why.endsWith('number 1') ? 1 : at;
        const data = pages[at - 1] ?? [];
        return httpAnswer(200, { data, total: totals[at - 1] ?? 0, page, limit: 2, pages: pages.length });
      },
      'GET /quotas': () => quotaAnswer(10),
    });
    const ended = await runCli(['apply', '-', '--yes', '--prune=all'], { env, stdin: file });
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
