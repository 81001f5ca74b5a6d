import { describe, expect, it } from 'vitest';
import {
  type ForeignAnswer,
  foreignRows,
  foreignService,
  type PageAsked,
} from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';

const rows = foreignRows(130);
const number = (text: string | null, other: number) => (text === null ? other : Number(text));

/** A page by its number, from `first`, of at most so many rows. */
function numbered(
  { query }: PageAsked,
  { first = 1, most = 100, parameter = 'page', size = 'limit', all = rows as readonly unknown[] } = {},
) {
  const limit = Math.min(most, number(query.get(size), 20));
  const page = number(query.get(parameter), first);
  const at = (page - first) * limit;
  return {
    items: all.slice(at, at + limit),
    page,
    limit,
    total: all.length,
    pages: Math.ceil(all.length / limit),
  };
}

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

const link = (to: string, relation = 'next') => ({ Link: `<${to}>; rel="${relation}"` });

type List = (asked: PageAsked) => ForeignAnswer;
type Numbered = ReturnType<typeof numbered>;
type Options = Parameters<typeof numbered>[1];

/** An envelope of pages by number, with its own names. */
const named =
  (fields: (page: Numbered) => unknown, options: Options = {}): List =>
  (asked) => ({ body: fields(numbered(asked, options)) });

/** A bare array of at most so many rows, with headers. */
const bare =
  (headers: (page: Numbered, asked: PageAsked) => Record<string, string>, most = 50): List =>
  (asked) => {
    const page = numbered(asked, { most });
    return { body: page.items, headers: headers(page, asked) };
  };

const cursor =
  (parameter: string, fields: (page: ReturnType<typeof after>, origin: string) => unknown): List =>
  (asked) => ({ body: fields(after(asked, parameter), asked.origin) });

const forms: Readonly<Record<string, List>> = {
  'items and total, no page': named(({ items, total }) => ({ items, total })),
  'results and count, as Django': named(({ items, total }) => ({ count: total, results: items })),
  'its own name': named(({ items, total, page }) => ({ connections: items, total_count: total, page })),
  'meta with numbers as text': named(({ items, total, page, pages }) => ({
    data: items,
    meta: { totalCount: `${total}`, currentPage: `${page}`, totalPages: `${pages}` },
  })),
  'pagination with pages alone': named(({ items, pages, page }) => ({ items, pagination: { pages, page } })),
  'pages from 0': named(({ items, page, pages }) => ({ items, pageNumber: page, totalPages: pages }), {
    first: 0,
    parameter: 'pageNumber',
  }),
  'pages from 0 that are not numbered': named(({ items, total }) => ({ items, total }), { first: 0 }),
  Spring: named(
    ({ items, page, pages, total, limit }) => ({
      items,
      page: { number: page, totalPages: pages, totalElements: total, size: limit },
    }),
    { first: 0 },
  ),
  'a list within data': named(({ items, total, page }) => ({ data: { items, total, page } })),
  'another size parameter': named(({ items, page, pages }) => ({ items, page, pages }), { size: 'per_page' }),
  'offset and limit': ({ query }) => {
    const [at, limit] = [number(query.get('offset'), 0), number(query.get('limit'), 20)];
    return { body: { data: rows.slice(at, at + limit), total: rows.length, offset: at, limit } };
  },
  'a bare array and links': bare(({ page, pages, limit }, { origin }) => {
    const next = link(`${origin}/connections?limit=${limit}&page=${page + 1}`);
    return page < pages ? next : link('/connections?page=1', 'first');
  }),
  'links relative to the list': bare(
    ({ page, pages }) => (page < pages ? link(`?page=${page + 1}&limit=100`) : {}),
    100,
  ),
  'next as a URL': cursor('from', ({ items, next }, origin) => ({
    results: items,
    next: next && `${origin}/connections?from=${next}`,
  })),
  'next as a link object': cursor('from', ({ items, next }) => ({
    items,
    _links: next === null ? {} : { next: { href: `/connections?from=${next}` } },
  })),
  'next under another base path': cursor('from', ({ items, next }) => ({
    items,
    next: next && `/internal/v1/connections?from=${next}`,
  })),
  'next as a number': named(({ items, page, pages }) => ({ items, next: page < pages ? page + 1 : null })),
  'next_page as a number': named(({ items, page, pages }) => ({
    items,
    meta: { next_page: page < pages ? page + 1 : null },
  })),
  next_cursor: cursor('cursor', ({ items, next }) => ({ items, next_cursor: next })),
  'nextCursor, empty at the end': cursor('cursor', ({ items, next }) => ({ items, nextCursor: next ?? '' })),
  nextPageToken: cursor('pageToken', ({ items, next }) => ({
    connections: items,
    ...(next !== null && { nextPageToken: next }),
  })),
  next_page_token: cursor('page_token', ({ items, next }) => ({ items, next_page_token: next })),
  'a cursor in meta': cursor('cursor', ({ items, next }) => ({ data: items, meta: { next_cursor: next } })),
  'endCursor and hasNextPage': cursor('after', ({ items, next, hasMore }) => ({
    items,
    pageInfo: { endCursor: next ?? 'x', hasNextPage: hasMore },
  })),
  'cursor alone': cursor('cursor', ({ items, next }) => ({ items, cursor: next })),
  'has_more and starting_after': ({ query }) => {
    const start = rows.findIndex(({ id }) => id === query.get('starting_after')) + 1;
    return { body: { data: rows.slice(start, start + 30), has_more: start + 30 < rows.length } };
  },
  'has_more and pages': named(({ items, page, pages }) => ({ data: items, has_more: page < pages })),
  'a limit of 50 that is named': (asked) =>
    number(asked.query.get('limit'), 20) > 50
      ? { status: 422, body: { errors: [{ field: 'limit', message: 'must be at most 50' }] } }
      : { body: numbered(asked).items },
  'a limit that is not taken': (asked) =>
    asked.query.has('limit')
      ? { status: 400, body: { error: 'unknown query parameter: limit' } }
      : { body: numbered(asked).items },
  'IDs of another name': named(({ items, page, pages }) => ({ data: items, page, pages }), {
    all: rows.map(({ id, name }) => ({ connection_id: id, name })),
  }),
  'cursors of 16 KiB': ({ query }) => {
    const at = number((query.get('cursor') ?? '0').replace(/^x+/, ''), 0);
    const next = at + 50 < rows.length ? `${'x'.repeat(16 * 1024)}${at + 50}` : null;
    return { body: { items: rows.slice(at, at + 50), next_cursor: next } };
  },
};

it.each(Object.entries(forms))('a list as %s is read whole, each row once', async (_name, list) => {
  const { env } = await foreignService({ list });
  const ended = await runCli(['connections', 'list', '--all', '-o', 'json'], { env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const printed: { readonly name: string }[] = JSON.parse(ended.stdout);
  expect(printed.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
});

/** What says of a list that it is not all, and never shows more than these rows. */
const cut: Readonly<Record<string, readonly [List, number, RegExp]>> = {
  'a cursor that names itself': [
    ({ nth }) => ({ body: { items: rows.slice(nth * 10, nth * 10 + 10), next_cursor: 'same' } }),
    20,
    /names itself as the next/,
  ],
  'a circle of pages': [
    ({ query }) => {
      const at = number(query.get('cursor'), 0);
      return { body: { items: rows.slice(at * 10, at * 10 + 10), next_cursor: String((at + 1) % 3) } };
    },
    30,
    /repeats an earlier page/,
  ],
  'cursors without end and without rows': [
    ({ nth }) => ({ body: { items: [], next_cursor: `c${nth}` } }),
    0,
    /there are still more/,
  ],
  'a next page at another origin': [
    () => ({ body: rows.slice(0, 100), headers: link('https://evil.example/connections?page=2') }),
    100,
    /another origin, which orgctl does not call: https:\/\/evil\.example/,
  ],
  'a next page at another path': [
    () => ({ body: { items: rows.slice(0, 100), next: '/api-keys?page=2' } }),
    100,
    /another path, which orgctl does not call: \/api-keys/,
  ],
  'more, and no way to it': [
    () => ({ body: { items: rows.slice(0, 7).map(({ name }) => ({ name })), has_more: true } }),
    7,
    /names another page after 7 items/,
  ],
};

// What is not planned on such a list is test/commands/whole-lists.test.ts's.
it.each(Object.entries(cut))(
  'a list with %s is printed as far as it goes, and is an error',
  async (_name, [list, count, why]) => {
    const { env, calls } = await foreignService({ list, quotas: { body: { data: [{}] } } });
    const ended = await runCli(['connections', 'list', '--all', '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 10, stderr: expect.stringMatching(why) });
    expect(JSON.parse(ended.stdout)).toHaveLength(count);
    expect(calls.filter((call) => !/^GET .(connections|quotas)/.test(call))).toEqual([]);
  },
);

it('follows 200 pages, as many as there are', async () => {
  const list: List = ({ query }) => {
    const at = number(query.get('cursor'), 0);
    return { body: { items: [{ id: at }], next_cursor: at < 199 ? String(at + 1) : null } };
  };
  const { env } = await foreignService({ list });
  const ended = await runCli(['teams', 'list', '--all', '-o', 'jsonl'], { env });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(200);
});

it('one page says that there are more, and how to go on where a number does', async () => {
  const byCursor = cursor('cursor', ({ items, next }) => ({ items, next_cursor: next }));
  const one = await runCli(['teams', 'list'], { env: (await foreignService({ list: byCursor })).env });
  expect(one.stderr).toBe('showing 20, page 1; everything: --all\n');
  const silent = await foreignService({ list: named(({ items }) => items) });
  const limited = await runCli(['teams', 'list', '--limit', '5'], { env: silent.env });
  expect(limited.stderr).toBe('showing 5, page 1; there may be more: --all\n');
});

it.each([
  ['from 0, under a name of its own', { first: 0, parameter: 'pageNumber' }, 'pageNumber'],
  ['from 1', { first: 1 }, 'page'],
])(
  'a page names the next one by the number that --page takes, where pages count %s',
  async (_, form, field) => {
    const list = named(({ items, page, total }) => ({ items, [field]: page, total, pages: 3 }), {
      ...form,
      all: rows.slice(0, 50),
    });
    const { env } = await foreignService({ list });
    const read = async (...page: string[]) => {
      const ended = await runCli(['teams', 'list', ...page, '--query', '[0].name', '-r'], { env });
      return [ended.stdout.trim(), ...(ended.stderr.match(/page \d+ of 3|--page \d+/g) ?? [])];
    };
    expect(await read()).toEqual(['name-0', 'page 1 of 3', '--page 2']);
    expect(await read('--page', '2')).toEqual(['name-20', 'page 2 of 3', '--page 3']);
    expect(await read('--page', '3')).toEqual(['name-40', 'page 3 of 3']);
  },
);

it('a list whose rows moved between pages is printed, and is not said to be whole', async () => {
  const moved = [rows[0], rows[1], rows[1], rows[2]];
  const list = named(({ items, ...figures }) => ({ data: items, ...figures }), { most: 2, all: moved });
  const { env } = await foreignService({ list });
  const ended = await runCli(['teams', 'list', '--all', '-o', 'jsonl'], { env });
  expect(ended).toMatchObject({ code: 10, stderr: expect.stringContaining('the ID conn_1 appears twice') });
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(4);
});

describe('a page by its number, from a service that may not have looked at it', () => {
  const few = rows.slice(0, 3);

  it.each<[string, List, number, unknown, string]>([
    ['refused where all items came', named(() => ({ data: few, total: 3 })), 10, undefined, 'all 3 items'],
    [
      'printed with a note where nothing tells',
      named(() => few),
      0,
      rows[0],
      'does not say which page it is',
    ],
    [
      'printed without one where it tells',
      named(({ items, ...rest }) => ({ items, ...rest })),
      0,
      rows[80],
      '',
    ],
  ])('is %s', async (_what, list, code, first, said) => {
    const { env } = await foreignService({ list });
    const ended = await runCli(['teams', 'list', '--page', '5', '-o', 'json'], { env });
    expect([ended.code, JSON.parse(ended.stdout || '[]')[0]]).toEqual([code, first]);
    const note = `page 5 was requested${said === 'all 3 items' ? ', but the service sent ' : '; the response '}${said}`;
    if (said === '') expect(ended.stderr).not.toContain('does not say');
    else expect(ended.stderr).toContain(note);
  });
});
