import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ForeignAnswer,
  foreignRows,
  foreignService,
  type Numbering,
  numberedPage,
  type PageAsked,
} from '../support/foreign-service.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { organization } from './support/organization.js';

// Which lists are read, and which are proved whole: test/client/foreign-lists.test.ts and its neighbours.
type List = (asked: PageAsked) => ForeignAnswer;

const rows = foreignRows(130);
type Fields = (page: ReturnType<typeof numberedPage<unknown>>) => unknown;

/** An envelope of pages by number, with its own names. */
const named =
  (fields: Fields, numbering: Numbering = {}, all: readonly unknown[] = rows): List =>
  (asked) => ({ body: fields(numberedPage(asked, all, numbering)) });

const full = { body: { data: [{ teams: { limit: 200, used: 100 } }] } };

it('a list that reports a failure is none for any command, and nothing is changed', async () => {
  const { env, calls } = await foreignService({
    list: () => ({ body: { data: [], errors: [{ message: 'down' }] } }),
    quotas: full,
  });
  const stdin = organization({ teams: [] });
  for (const line of ['teams list', 'apply - --yes --prune=all', 'request GET /teams --paginate']) {
    const ended = await runCli(line.split(' '), { env, stdin });
    const stderr = expect.stringContaining('reports a failure: down');
    expect([line, ended]).toMatchObject([line, { code: 10, stdout: '', stderr }]);
  }
  expect(JSON.parse((await runCli(['probe', '-o', 'json'], { env })).stdout).kinds.teams.state).toBe(
    'unread',
  );
  expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
});

it('a list whose page size nobody names is whole for every command: no name is created twice', async () => {
  const list = named(({ items }) => items, { most: 40 }, rows.slice(0, 100));
  const { env, calls } = await foreignService({
    list,
    get: (id) => ({ body: { id, name: 'found' } }),
    quotas: full,
  });
  const run = (line: string, stdin = '') => runCli(line.split(' '), { env, stdin });
  for (const line of ['export --kind teams -o json', 'request GET /teams --paginate'])
    expect((await run(line)).stdout.match(/name-\d+/g)).toHaveLength(100);
  const applied = await run('apply - --yes', organization({ teams: [{ name: 'name-99' }] }));
  const created = await run('teams create --name name-99 --skip-existing');
  const got = await run('teams get name-99 --query name -r');
  expect([applied.code, created.code, got.stdout]).toEqual([0, 0, 'name-99\n']);
  expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
});

it.each([
  ['20', '--limit 40', 20, true],
  ['20', '', 20, true],
  ['7', '', 7, false],
  ['7', '--name name-1', 7, false],
  ['7', '--name none', 7, true],
  ['0', '--name none', 0, false],
])('a bare list of %s items with %j says that there may be more: %#', async (_n, options, count, isSaid) => {
  const { env } = await foreignService({ list: () => ({ body: rows.slice(0, count) }) });
  const { stderr } = await runCli(['teams', 'list', ...options.split(' ').filter(Boolean)], { env });
  expect(stderr.includes(`${count}, page 1; there may be more: --all`)).toBe(isSaid);
});

it('one page says that there are more, and how to go on where a number does', async () => {
  const byCursor = await foreignService({
    list: () => ({ body: { items: rows.slice(0, 20), next_cursor: 'x' } }),
  });
  const one = await runCli(['teams', 'list'], byCursor);
  expect(one.stderr).toBe('showing 20, page 1; everything: --all\n');
  const silent = await foreignService({ list: named(({ items }) => items) });
  const limited = await runCli(['teams', 'list', '--limit', '5'], { env: silent.env });
  expect(limited.stderr).toBe('showing 5, page 1; there may be more: --all\n');
});

it('a list whose rows moved between pages is printed, and is not said to be whole', async () => {
  const moved = [rows[0], rows[1], rows[1], rows[2]];
  const list = named(({ items, ...figures }) => ({ data: items, ...figures }), { most: 2 }, moved);
  const { env } = await foreignService({ list });
  const ended = await runCli(['teams', 'list', '--all', '-o', 'jsonl'], { env });
  expect(ended).toMatchObject({ code: 10, stderr: expect.stringContaining('the ID conn_1 appears twice') });
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(3);
});

it.each([['page', 1]] as const)(
  '--page counts from 1 where the service has %s and begins at %i',
  async (parameter, first) => {
    const fields: Fields = ({ items, page, total }) => ({ items, [parameter]: page, total, pages: 3 });
    const list = named(fields, { first, parameter }, rows.slice(0, 50));
    const { env } = await foreignService({ list });
    const read = async (...page: string[]) => {
      const ended = await runCli(['teams', 'list', ...page, '--query', '[0].name', '-r'], { env });
      return [ended.stdout.trim(), ...(ended.stderr.match(/page \d+ of 3|--page \d+|no page \d+/g) ?? [])];
    };
    expect(await read()).toEqual(['name-0', 'page 1 of 3', '--page 2']);
    expect(await read('--page', '1')).toEqual(['name-0', 'page 1 of 3', '--page 2']);
    expect(await read('--page', '2')).toEqual(['name-20', 'page 2 of 3', '--page 3']);
    expect(await read('--page', '3')).toEqual(['name-40', 'page 3 of 3']);
    expect(await read('--page', '9')).toEqual(['null', 'page 9 of 3']);
  },
);

describe('a page by its number, from a service that may not have looked at it', () => {
  const few = rows.slice(0, 3);

  const counted = named(({ items, ...rest }) => ({ items, ...rest }));

  it.each<[string, List, number, unknown, string]>([
    ['printed with a note where nothing tells', named(() => few), 0, rows[0], 'does not say which page'],
    ['printed without one where it tells', counted, 0, rows[80], ''],
  ])('is %s', async (_what, list, code, first, said) => {
    const { env } = await foreignService({ list });
    const ended = await runCli(['teams', 'list', '--page', '5', '-o', 'json'], { env });
    expect([ended.code, JSON.parse(ended.stdout || '[]')[0]]).toEqual([code, first]);
    const note = `page 5 was requested; the response ${said}`;
    if (said === '') expect(ended.stderr).not.toContain('does not say');
    else expect(ended.stderr).toContain(note);
  });
});

describe('a kind that the service does not have', () => {
  const kinds = ['connections', 'teams'];
  const list: List = () => ({ body: [] });

  it('is left out of export, diff and apply with a note, and is not said to be empty', async () => {
    const { env } = await foreignService({ list, kinds, quotas: { body: { data: [{}] } } });
    const ended = await runCli(['export', '-o', 'json'], { env });
    expect(JSON.parse(ended.stdout)).toMatchObject({ connections: [], teams: [] });
    expect(JSON.parse(ended.stdout)).not.toHaveProperty('api-keys');
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('the service has no API keys') });
    const stdin = organization({ teams: [], 'api-keys': [] });
    for (const line of ['diff - --exit-code -o json', 'apply - --yes']) {
      const shown = await runCli(line.split(' '), { env, stdin });
      const stderr = expect.stringContaining('the service has no API keys');
      expect([line, shown]).toMatchObject([line, { code: 0, stderr }]);
      expect(shown.stdout).not.toContain('api-keys');
    }
  });

  const keys = { 'api-keys': [{ name: 'b', secret_to: { profile: 'b' } }] };
  it.each([
    ['with another kind', 404, { teams: [{ name: 'a' }], ...keys }, ''],
    ['with another kind', 405, { teams: [], ...keys }, ''],
    ['with an empty kind that is pruned', 501, { teams: [], 'api-keys': [] }, '--prune=api-keys'],
    ['in a file of its own', 405, keys, ''],
    ['in a file of its own', 501, keys, ''],
  ])('has diff and apply refuse a file %s, and nothing is sent or written: %i', async (...row) => {
    const [_file, status, kinds, prune] = row;
    const lists: List = ({ path }) => (path === '/api-keys' ? { status } : { body: [] });
    const { env, calls } = await foreignService({ list: lists });
    const stdin = organization(kinds);
    const out = join(temporaryDirectory(), 'plan.json');
    for (const line of ['apply - --yes', `diff - --exit-code --out ${out}`, 'diff - -o json']) {
      const ended = await runCli([...line.split(' '), prune].filter(Boolean), { env, stdin });
      const stderr = expect.stringMatching(/does not support API keys; (?:.|\n)*remove .*api-keys/);
      expect([line, ended]).toMatchObject([line, { code: 6, stdout: '', stderr }]);
    }
    expect([existsSync(out), calls.filter((call) => !call.startsWith('GET '))]).toEqual([false, []]);
  });

  it('may be one of a wrong base URL if the service has none at all', async () => {
    const wrong = await foreignService({ kinds: [] });
    expect(await runCli(['export'], wrong)).toMatchObject({ code: 6, stdout: '' });
    const ended = await runCli(['diff', '-'], { ...wrong, stdin: organization(keys) });
    expect(ended).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('base URL') });
  });
});

describe('records that the service marks as deleted', () => {
  const gone = [
    { id: 'team_1', name: 'a', deleted: true },
    { id: 'team_2', name: 'b', deleted_at: '2026-01-01T00:00:00Z' },
    { id: 'team_5', name: 'd', status: 'deleted' },
  ];
  const living = { id: 'team_3', name: 'c', deleted: false, deleted_at: null };
  const kept = [
    { id: 'team_6', name: 'e', deleted_at: '0001-01-01T00:00:00Z' },
    { id: 'team_7', name: 'f', deleted_at: '2999-01-01T00:00:00Z' },
  ];
  const run = async (args: string, stdin?: string) => {
    const { env, calls } = await foreignService({
      list: () => ({ body: { data: [...gone, living, ...kept], total: 6 } }),
      create: () => ({ status: 201, body: { id: 'team_4', name: 'a' } }),
      quotas: { body: { data: [{ kind: 'teams', limit: 20, used: 1 }] } },
    });
    return { ...(await runCli(args.split(' '), { env, ...(stdin !== undefined && { stdin }) })), calls };
  };

  it('are listed, but are not what a name, a file or a plan means', async () => {
    expect((await run('teams list --all --query length(@)')).stdout).toBe('6\n');
    expect((await run('teams delete a --yes')).calls).not.toContain('DELETE /teams/team_1');
    const exported = await run('export --kind teams');
    expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining('left out 3 of the teams') });
    expect(exported.stdout.match(/(?<=^ {2}- name: )\w+$/gm)).toEqual(['c', 'e', 'f']);
    const created = await run('teams create --skip-existing --file - -o json', '[{"name":"a"}]');
    expect(JSON.parse(created.stdout)).toMatchObject([{ id: 'team_4', result: 'created' }]);
  });
});
