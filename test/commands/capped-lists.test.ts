import { describe, expect, it } from 'vitest';
import { type DialectInput, startServer } from '../../src/server/index.js';
import {
  type ForeignAnswer,
  foreignRows,
  foreignService,
  type PageAsked,
} from '../support/foreign-service.js';
import { emptyEnvironment, runCli, withProfileFile } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';
import { organization } from './support/organization.js';

type List = (asked: PageAsked) => ForeignAnswer;

/** A service of so many rows that caps every page at a size which it does not name. */
function capped(count: number, size: number, first: 0 | 1, form: 'bare' | 'data' | 'page'): List {
  const rows = foreignRows(count);
  return ({ query }) => {
    const page = Number(query.get('page') ?? first);
    const data = rows.slice((page - first) * size, (page - first + 1) * size);
    return { body: form === 'bare' ? data : { data, ...(form === 'page' && { page }) } };
  };
}

const names = (stdout: string) => JSON.parse(stdout).map(({ name }: { readonly name: string }) => name);

describe('a list whose page size nobody names', () => {
  // Of some sizes a page is usual, and may be the first of many.
  const unusual = [16, 99];
  const usual = [20, 100];

  it.each([...unusual, ...usual])('is read to its end at %i rows a page', async (size) => {
    const wanted = foreignRows(100).map(({ name }) => name);
    for (const form of ['bare', 'data', 'page'] as const) {
      for (const first of [0, 1] as const) {
        const { env } = await foreignService({ list: capped(100, size, first, form) });
        const ended = await runCli(['teams', 'list', '--all', '-o', 'json'], { env });
        expect([form, first, ended.code, names(ended.stdout)]).toEqual([form, first, 0, wanted]);
      }
    }
  });

  it.each(['export --kind teams -o json', 'request GET /teams --paginate'])(
    'is whole in %s',
    async (line) => {
      const { env } = await foreignService({ list: capped(100, 40, 1, 'bare') });
      const ended = await runCli(line.split(' '), { env });
      expect([ended.code, ended.stdout.match(/name-\d+/g)?.length]).toEqual([0, 100]);
    },
  );

  it('has no name created twice, and finds one on a later page', async () => {
    const { env, calls } = await foreignService({
      list: capped(100, 40, 1, 'bare'),
      get: (id) => ({ body: { id, name: 'found' } }),
      quotas: { body: { teams: { limit: 200, used: 100 } } },
    });
    const stdin = organization({ teams: [{ name: 'name-99' }] });
    const applied = await runCli(['apply', '-', '--yes'], { env, stdin });
    const created = await runCli(['teams', 'create', '--name', 'name-99', '--skip-existing'], { env });
    const got = await runCli(['teams', 'get', 'name-99', '--query', 'name', '-r'], { env });
    expect([applied.code, created.code, got.stdout]).toEqual([0, 0, 'found\n']);
    expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
  });
});

describe('a list that is the same for every page', () => {
  const rows = foreignRows(100);
  const same = (count: number, used?: number) =>
    foreignService({
      list: () => ({ body: rows.slice(0, count) }),
      ...(used !== undefined && { quotas: { body: { data: [{ teams: { limit: 200, used } }] } } }),
    });

  it.each<[string, number, number | undefined, number]>([
    ['no count', 40, undefined, 0],
    ['the quota in use counts it', 40, 40, 0],
    ['the quota counts one more', 40, 41, 10],
    ['the quota counts fewer', 40, 39, 0],
    ['the quota counts a usual page', 20, 20, 0],
    ['a usual page without a count', 20, undefined, 10],
  ])('is whole only by that and by the quota: %s', async (_name, count, used, code) => {
    const { env } = await same(count, used);
    const ended = await runCli(['teams', 'list', '--all', '-o', 'json'], { env });
    expect([ended.code, names(ended.stdout).length]).toEqual([code, count]);
    expect((await runCli(['export', '--kind', 'teams'], { env })).code).toBe(code);
  });

  it('is not whole if the service itself numbers it', async () => {
    const { env } = await foreignService({ list: () => ({ body: { data: rows.slice(0, 40), page: 0 } }) });
    const stderr = expect.stringContaining('nothing says that the list ends');
    expect(await runCli(['teams', 'list', '--all'], { env })).toMatchObject({ code: 10, stderr });
  });

  it('ends pages that differed before', async () => {
    const list: List = (asked) => {
      const page = Math.min(3, Number(asked.query.get('page') ?? 1));
      return { body: rows.slice(40 * (page - 1), 40 * page) };
    };
    const { env } = await foreignService({ list });
    const ended = await runCli(['teams', 'list', '--all', '-o', 'json'], { env });
    expect([ended.code, names(ended.stdout).length]).toEqual([0, 100]);
  });
});

describe('a refused further page', () => {
  it.each<[string, number, (page: string | null) => boolean, object, number]>([
    ['404, and page 1 is there', 404, (page) => page !== '2', {}, 0],
    ['404, and the page has a number', 404, (page) => page === null, { page: 1 }, 0],
    ['404 for any number', 404, (page) => page === null, {}, 10],
    ['400 for page 2', 400, (page) => page !== '2', {}, 10],
    ['400 for any number', 400, (page) => page === null, {}, 10],
  ])('is the end only as 404 where pages have numbers: %s', async (_name, status, isThere, fields, code) => {
    const data = foreignRows(7);
    const list: List = ({ query }) =>
      isThere(query.get('page')) ? { body: { data, ...fields } } : { status, body: { error: 'no page' } };
    const { env } = await foreignService({ list });
    const ended = await runCli(['teams', 'list', '--all', '-o', 'json'], { env });
    expect([ended.code, names(ended.stdout).length]).toEqual([code, 7]);
    const counted = await foreignService({ list, quotas: { body: { teams: { limit: 9, used: 7 } } } });
    expect((await runCli(['teams', 'list', '--all'], { env: counted.env })).code).toBe(0);
  });
});

describe('a pinned dialect', () => {
  const told = { total: null, page: null, limit: null, pages: null };

  const largest = { items: null, fields: told, limit: { max: 60 } };
  const only = { items: null, fields: told, parameters: { limit: null }, limit: { default: 30 } };
  const paged = (paging: 'link' | 'none') => ({ items: null, paging, fields: told });

  it.each<[string, DialectInput['list'], number, string[]]>([
    ['a shorter page than its limit', largest, 59, ['/teams?limit=60']],
    ['a full page', largest, 60, ['/teams?limit=60', '/teams?limit=60&page=2']],
    ['a shorter page than its only size', only, 29, ['/teams']],
    ['a full page of its only size', only, 30, ['/teams', '/teams?page=2']],
    ['no link', paged('link'), 20, ['/teams?limit=100']],
    ['one page', paged('none'), 20, ['/teams?limit=100']],
  ])('proves a list by %s', async (_name, list, count, wanted) => {
    const rows = foreignRows(count);
    const { origin, calls } = await foreignService({
      list: ({ query }) => ({ body: query.has('page') ? [] : rows }),
    });
    const dialect = { dialect: 1, list } as const;
    const main = { baseUrl: origin, keyId: 'key_test', secret: 's'.repeat(64), dialect };
    const env = withProfileFile({ version: 1, current: 'main', profiles: { main } });
    const ended = await runCli(['teams', 'list', '--all', '-o', 'json'], { env });
    expect([ended.code, ended.stderr, names(ended.stdout).length]).toEqual([0, '', count]);
    expect(calls.filter((call) => call !== 'GET /quotas')).toEqual(wanted.map((target) => `GET ${target}`));
  });
});

it.each(['reference', 'bare', 'cursor', 'camel'] as const)(
  'a list of orgctl serve --dialect %s takes as many requests as it has pages',
  async (dialect) => {
    for (const count of [7, 100]) {
      const teams = foreignRows(count).map(({ name }, at) => ({ id: `team_${at}`, name }));
      const seed = { organizations: [{ name: 'a', teams }] };
      await using server = await startServer({ http: true, dialect, quotas: { teams: 500 }, seed });
      const { url: baseUrl, keyId, secret } = server;
      const profiles = { main: { baseUrl, keyId, secret, dialect } };
      const pinned = withProfileFile({ version: 1, current: 'main', profiles });
      const unpinned = { ...emptyEnvironment(), ...serviceEnvironment(server) };
      for (const env of [unpinned, pinned]) {
        // Only a pinned dialect names the parameter of camel's page size.
        const size = dialect === 'cursor' ? 50 : dialect === 'camel' && env === unpinned ? 20 : 100;
        await server.control.journal.clear();
        const ended = await runCli(['teams', 'list', '--all', '-o', 'json'], { env });
        expect(ended).toMatchObject({ code: 0, stderr: '' });
        expect(await server.control.journal.get()).toHaveLength(Math.ceil(count / size));
      }
    }
  },
);
