import { expect, it } from 'vitest';
import { followPages } from '../../src/client/follow-pages.js';
import {
  type ForeignAnswer,
  foreignRows,
  foreignService,
  type Numbering,
  numberedPage,
  type PageAsked,
} from '../support/foreign-service.js';
import { failureOf, openClient } from './support/open-client.js';

/** The names of all that a list has, why they may not be all, and what the service was asked. */
async function readAll(list: List) {
  const quotas = { body: { connections: { limit: 500, used: rows.length } } };
  const { origin, calls } = await foreignService({ list, quotas });
  const names: unknown[] = [];
  const doubts: string[] = [];
  const onIncomplete = ({ message }: Error) => void doubts.push(message);
  const fetch = openClient({ origin }).api.connections.list;
  for await (const { data } of followPages(fetch, {}, { what: 'rows', onIncomplete }))
    names.push(...data.map((row) => row['name']));
  return { names, doubts, calls };
}

const rows = foreignRows(130);
const number = (text: string | null, other: number) => (text === null ? other : Number(text));

/** A page after the row of a cursor. */
function after({ query }: PageAsked, parameter: string, most = 50) {
  const limit = Math.min(most, number(query.get('limit'), 20));
  const at = number(query.get(parameter), 0);
  const end = at + limit;
  return {
    items: rows.slice(at, end),
    next: end < rows.length ? String(end) : null,
    hasMore: end < rows.length,
  };
}

const link = (to: string) => ({ Link: `<${to}>; rel="next"` });

type List = (asked: PageAsked) => ForeignAnswer;
type Numbered = ReturnType<typeof numberedPage<unknown>>;

/** An envelope of pages by number, with its own names. */
const named =
  (fields: (page: Numbered) => unknown, numbering: Numbering = {}, all: readonly unknown[] = rows): List =>
  (asked) => ({ body: fields(numberedPage(asked, all, numbering)) });

/** A bare array of at most so many rows, with headers. */
const bare =
  (headers: (page: Numbered, asked: PageAsked) => Record<string, string>, most = 50): List =>
  (asked) => {
    const page = numberedPage(asked, rows, { most });
    return { body: page.items, headers: headers(page, asked) };
  };

const cursor =
  (parameter: string, fields: (page: ReturnType<typeof after>, origin: string) => unknown): List =>
  (asked) => ({ body: fields(after(asked, parameter), asked.origin) });

const forms: Readonly<Record<string, List>> = {
  'items and total, no page': named(({ items, total }) => ({ items, total })),
  'results and count, as Django': named(({ items, total }) => ({ count: total, results: items })),
  Spring: named(
    ({ items, page, pages, total, limit }) => ({
      items,
      page: { number: page, totalPages: pages, totalElements: total, size: limit },
    }),
    { first: 0 },
  ),
  'links relative to the list': bare(
    ({ page, pages }) => (page < pages ? link(`?page=${page + 1}&limit=100`) : {}),
    100,
  ),
  'next as a URL': cursor('from', ({ items, next }, origin) => ({
    results: items,
    next: next && `${origin}/connections?from=${next}`,
  })),
  'next as a number': named(({ items, page, pages }) => ({ items, next: page < pages ? page + 1 : null })),
  next_cursor: cursor('cursor', ({ items, next }) => ({ items, next_cursor: next })),
  'nextCursor, empty at the end': cursor('cursor', ({ items, next }) => ({ items, nextCursor: next ?? '' })),
  'endCursor and hasNextPage': cursor('after', ({ items, next, hasMore }) => ({
    items,
    pageInfo: { endCursor: next ?? 'x', hasNextPage: hasMore },
  })),
  'all at once, with no count but the quota': () => ({ body: { items: rows } }),
  'a limit that is not taken': (asked) =>
    asked.query.has('limit')
      ? { status: 400, body: { error: 'unknown query parameter: limit' } }
      : { body: numberedPage(asked, rows).items },
};

it.each(Object.entries(forms))('a list as %s is read whole, each row once', async (_name, list) => {
  const { names, doubts } = await readAll(list);
  expect([names, doubts]).toEqual([rows.map(({ name }) => name), []]);
});

/** What says of a list that it is not all, and never shows more than these rows. */
const cut: Readonly<Record<string, readonly [List, number, RegExp]>> = {
  'cursors without end and without rows': [
    ({ nth }) => ({ body: { items: [], next_cursor: `c${nth}` } }),
    0,
    /there are still more/,
  ],
  'more, and no way to it': [
    () => ({ body: { items: rows.slice(0, 7).map(({ name }) => ({ name })), has_more: true } }),
    7,
    /names another page after 7 items/,
  ],
  'a total that counts only its page': [
    named(({ items }) => ({ items, total: items.length }), { most: 100 }),
    130,
    /it shrank from 100 to 30 items/,
  ],
  'offsets, which are not followed': [
    ({ query }) => {
      const at = number(query.get('offset'), 0);
      return { body: { data: rows.slice(at, at + 7), total: 130, offset: at, limit: 7 } };
    },
    7,
    /the service reports 130 items, but 7 arrived/,
  ],
};

it.each(Object.entries(cut))(
  'a list with %s is read as far as it goes',
  async (_name, [list, count, why]) => {
    const { names, doubts, calls } = await readAll(list);
    expect([names.length, doubts]).toEqual([count, [expect.stringMatching(why)]]);
    expect(calls.filter((call) => !/^GET .(connections|quotas)/.test(call))).toEqual([]);
    expect(calls.length).toBeLessThan(200);
  },
);

it.each([
  ['rows that are none', '[1, 2]', 'list of 2 number'],
  ['a row that is none', '[{"id":"a"},{"id":"b"},"secret-value"]', 'list of 3 { id: text }'],
  ['an inherited name', '{"__proto__":[{"id":"a"}]}', '{ __proto__: list of 1 { id: text } }'],
  ['the name of a member', '{"constructor":[{"id":"a"}]}', '{ constructor: list of 1 { id: text } }'],
])('a list in no known form is refused with its outline: %s', async (_name, text, outline) => {
  const { api } = openClient(await foreignService({ list: () => ({ body: JSON.parse(text) }) }));
  const failure = await failureOf(api.teams.list());
  const message = `not of the expected form: ${outline}; looked for a list of objects`;
  expect(failure).toMatchObject({ code: 'server', message: expect.stringContaining(message) });
  expect(JSON.stringify(failure['message'])).not.toContain('secret-value');
});
