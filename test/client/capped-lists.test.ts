import { describe, expect, it } from 'vitest';
import { pinForms } from '../../src/client/reading/pinned-forms.js';
import { type DialectInput, startServer } from '../../src/server/index.js';
import { type ForeignAnswer, foreignRows, numberedPage, type PageAsked } from '../support/foreign-service.js';
import { openClient } from './support/open-client.js';
import { readAll, readNames } from './support/read-all.js';

type List = (asked: PageAsked) => ForeignAnswer;

function formsOf(dialect: DialectInput | string) {
  const pinned = pinForms(dialect);
  if ('misfit' in pinned) throw new Error(pinned.misfit);
  return pinned.forms;
}

const rows = foreignRows(100);

/** What a page looks like. */
const forms: Readonly<Record<string, (page: ReturnType<typeof numberedPage>) => unknown>> = {
  bare: ({ items }) => items,
  data: ({ items: data }) => ({ data }),
  page: ({ items: data, page }) => ({ data, page }),
};

const quotas = (used: number) => ({ body: { data: [{ connections: { limit: 200, used } }] } });

describe('a list whose page size nobody names', () => {
  // Of some sizes, such as 20, a page is usual, and may be the first of many.
  it.each([16, 20, 100])('is read to its end at %i rows a page', async (size) => {
    const wanted = rows.map(({ name }) => name);
    for (const [form, fields] of Object.entries(forms)) {
      for (const first of [0, 1] as const) {
        const list: List = (asked) => ({ body: fields(numberedPage(asked, rows, { first, most: size })) });
        const { names, doubts } = await readAll({ list });
        expect([form, first, names, doubts]).toEqual([form, first, wanted, []]);
      }
    }
  });
});

describe('a list that is the same for every page', () => {
  it.each<[string, number, number | undefined, boolean]>([
    ['the quota in use counts it', 40, 40, true],
    ['the quota counts one more', 40, 41, false],
    ['the quota counts a usual page', 20, 20, true],
    ['a usual page without a count', 20, undefined, false],
  ])('is whole only by that and by the quota: %s', async (_name, count, used, isWhole) => {
    const list = () => ({ body: rows.slice(0, count) });
    const { names, doubts } = await readAll({ list, ...(used !== undefined && { quotas: quotas(used) }) });
    expect([names.length, doubts.length]).toEqual([count, isWhole ? 0 : 1]);
  });

  it('is not whole if the service itself numbers it', async () => {
    const { doubts } = await readAll({ list: () => ({ body: { data: rows.slice(0, 40), page: 0 } }) });
    expect(doubts).toEqual([expect.stringContaining('nothing says that the list ends')]);
  });

  it('is not whole if the body has more than the items, whatever that means', async () => {
    const list = () => ({ body: { items: rows.slice(0, 12), IsTruncated: false } });
    const { names, doubts } = await readAll({ list });
    const doubt = '12 items arrived, and nothing says that the list ends there';
    expect([names.length, doubts]).toEqual([12, [`the list of rows may be incomplete: ${doubt}`]]);
    expect((await readAll({ list, quotas: quotas(12) })).doubts).toEqual([]);
  });

  it('ends pages that differed before', async () => {
    const list: List = (asked) => {
      const page = Math.min(3, Number(asked.query.get('page') ?? 1));
      return { body: rows.slice(40 * (page - 1), 40 * page) };
    };
    const { names, doubts } = await readAll({ list });
    expect([names.length, doubts]).toEqual([100, []]);
  });
});

it.each<[string, number, (page: string | null) => boolean, object, boolean]>([
  ['404, and page 1 is there', 404, (page) => page !== '2', {}, true],
  ['404, and the page has a number', 404, (page) => page === null, { page: 1 }, true],
  ['404 for any number', 404, (page) => page === null, {}, false],
  ['400 for page 2', 400, (page) => page !== '2', {}, false],
  ['400 for any number', 400, (page) => page === null, {}, false],
])(
  'a refused further page is the end only as 404 where pages have numbers: %s',
  async (_name, status, isThere, fields, isWhole) => {
    const data = foreignRows(7);
    const list: List = ({ query }) =>
      isThere(query.get('page')) ? { body: { data, ...fields } } : { status, body: { error: 'no page' } };
    const { names, doubts } = await readAll({ list });
    expect([names.length, doubts.length]).toEqual([7, isWhole ? 0 : 1]);
    expect((await readAll({ list, quotas: quotas(7) })).doubts).toEqual([]);
  },
);

it.each([
  [{ total: 250 }, 'showing 100 of 250; the service refuses further pages'],
  [{}, 'showing 100; the service refuses further pages'],
  [{ page: 1, pages: 3 }, 'showing 100; the service refuses further pages'],
])('a service that refuses page numbers is told from a list that ends: %j', async (figures, why) => {
  const list: List = ({ query }) =>
    query.has('page')
      ? { status: 400, body: { error: 'unknown parameter: page' } }
      : { body: { data: rows, ...figures } };
  const { names, doubts } = await readAll({ list });
  expect([names.length, doubts]).toEqual([100, [`the list of rows may be incomplete: ${why}`]]);
});

describe('a pinned dialect', () => {
  const told = { total: null, page: null, limit: null, pages: null };
  const largest = { items: null, fields: told, limit: { max: 60 } };
  const only = { items: null, fields: told, parameters: { limit: null }, limit: { default: 30 } };
  const paged = (paging: 'link' | 'none') => ({ items: null, paging, fields: told });

  it.each<[string, DialectInput['list'], number, string[]]>([
    ['a page after one shorter than its limit', largest, 59, ['?limit=60', '?limit=60&page=2']],
    ['a page after one shorter than its only size', only, 29, ['', '?page=2']],
    ['no link', paged('link'), 20, ['?limit=100']],
    ['one page', paged('none'), 20, ['?limit=100']],
  ])('proves a list by %s', async (_name, list, count, wanted) => {
    const answering: List = ({ query }) => ({ body: query.has('page') ? [] : rows.slice(0, count) });
    const { names, doubts, calls } = await readAll(
      { list: answering },
      { forms: formsOf({ dialect: 1, list }) },
    );
    expect([names.length, doubts]).toEqual([count, []]);
    const lists = calls.filter((call) => call !== 'GET /quotas');
    expect(lists).toEqual(wanted.map((query) => `GET /connections${query}`));
  });

  const inData = { items: 'data', paging: 'link', fields: told } as const;
  const shown = { ...inData, fields: { ...told, limit: 'limit' } };
  const byCursor = { ...shown, paging: 'cursor', fields: { ...shown.fields, next: 'next' } } as const;

  it.each<[string, DialectInput['list'], number, (data: readonly unknown[]) => unknown]>([
    ['a full page without a link', paged('link'), 100, (all) => all],
    ['a page as long as its limit', byCursor, 2, (data) => ({ data, offset: 0, limit: 2 })],
    ['one page as long as the limit', paged('none'), 100, (all) => all],
    ['one page as long as its limit', { ...shown, paging: 'none' }, 2, (data) => ({ data, limit: 2 })],
  ])('does not prove a list by %s, but the quota does', async (_name, list, count, body) => {
    const pinned = { forms: formsOf({ dialect: 1, list }) };
    const answering: List = () => ({ body: body(rows.slice(0, count)) });
    const read = await readAll({ list: answering }, pinned);
    expect([read.names.length, read.doubts]).toEqual([count, [expect.stringContaining('may be incomplete')]]);
    const counted = await readAll({ list: answering, quotas: quotas(count) }, pinned);
    expect(counted.doubts).toEqual([]);
  });

  it('does not prove a list by the first of several pages without a link', async () => {
    const list: List = () => ({ body: { data: rows.slice(0, 2), pages: 3 } });
    const forms = formsOf({ dialect: 1, list: { ...inData, fields: { ...told, pages: 'pages' } } });
    expect((await readAll({ list }, { forms })).doubts).toHaveLength(1);
  });
});

it.each(['reference', 'bare', 'cursor', 'camel'] as const)(
  'a list of orgctl serve --dialect %s takes as many requests as it has pages',
  async (dialect) => {
    const count = 100;
    const teams = foreignRows(count).map(({ name }) => ({ name }));
    const seed = { organizations: [{ name: 'a', teams }] };
    await using server = await startServer({ http: true, dialect, quotas: { teams: 500 }, seed });
    const { origin, pathname } = new URL(server.url);
    const credential = { keyId: server.keyId, secret: server.secret };
    const prefix = pathname.replace(/\/$/, '');
    for (const forms of [undefined, formsOf(dialect)]) {
      // Only a pinned dialect names the parameter of camel's page size.
      const size = dialect === 'cursor' ? 50 : dialect === 'camel' && forms === undefined ? 20 : 100;
      await server.control.journal.clear();
      const { api } = openClient({ origin }, { credential, prefix, clock: Date.now, forms });
      const { names, doubts } = await readNames(api.teams.list);
      expect([names.length, doubts]).toEqual([count, []]);
      expect(await server.control.journal.get()).toHaveLength(Math.ceil(count / size));
    }
  },
);
