import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isResource } from '../../src/api/resources/resource.js';
import { type FetchPage, followPages } from '../../src/client/follow-pages.js';
import { knownForms } from '../../src/client/reading/forms.js';
import { readPage } from '../../src/client/reading/read-page.js';
import { NetworkError } from '../../src/errors/errors.js';

/** Time stands still but for what is returned, which has so many milliseconds pass. */
function holdTime(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds);
}

describe('the deadline of following pages', () => {
  const teams = { what: 'teams' };
  const thePage = (page = 1) => ({ data: [{ id: `team_${page}` }], page, pages: 3 });

  it('is for reading all of them: each has what those before it left, and then there is an error', async () => {
    const passTime = holdTime();
    const left: unknown[] = [];
    const fetch: FetchPage<unknown> = async ({ page, deadline }, ofThat) => {
      left.push([deadline, ofThat]);
      passTime(30_000);
      return thePage(page);
    };
    const pages = followPages(fetch, { deadline: 60_000 }, teams);
    const seen: number[] = [];
    const failure = (async () => {
      for await (const { data } of pages) seen.push(data.length);
    })();
    await expect(failure).rejects.toThrow(
      expect.objectContaining({
        constructor: NetworkError,
        message: 'not all teams arrived before the deadline of 1m',
        details: { retryable: true, hint: 'raise the deadline, for example to 2m' },
      }),
    );
    expect([seen, left]).toEqual([
      [1, 1],
      [
        [60_000, 60_000],
        [60_000, 30_000],
      ],
    ]);
  });

  it('does not count the time that the reader takes', async () => {
    const passTime = holdTime();
    const left: unknown[] = [];
    const fetch: FetchPage<unknown> = async ({ page }, ofThat) => {
      left.push(ofThat);
      return thePage(page);
    };
    for await (const _page of followPages(fetch, { deadline: 60_000 }, teams)) passTime(60_000);
    expect(left).toEqual([60_000, 60_000, 60_000]);
  });
});

async function read(fetch: FetchPage<unknown>, limit?: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const { data } of followPages(fetch, { limit }, { what: 'items' })) seen.push(...data);
  return seen;
}

it('pages of what has no ID are told from each other by all of it', async () => {
  const following = (names: string) =>
    read(async ({ page = 1 }) => ({ data: [{ name: names[page - 1] }], pages: 3, total: 3 }));
  expect(await following('abc')).toHaveLength(3);
  await expect(following('aba')).rejects.toMatchObject({
    code: 'server',
    message: 'the list of items may be incomplete: page 3 repeats an earlier page',
    details: { retryable: false },
  });
});

it('pages that never end are given up', async () => {
  const fetch: FetchPage<unknown> = async ({ page = 1 }) => {
    if (page > 1001) throw new Error('nobody gave up');
    return { data: [{ id: `${page}` }], page, pages: page + 1, total: page + 1 };
  };
  const message = '1000 pages with 1000 items were read, and there are still more';
  await expect(read(fetch)).rejects.toThrow(message);
});

/** So many items without a number of their own. */
const items = (count: number, page = 1) =>
  Array.from({ length: count }, (_, at) => ({ id: `${page}-${at}` }));

const asked = { origin: 'http://peer', prefix: '', target: '/connections' };

function barePage(value: unknown, headers: Readonly<Record<string, string | string[]>>) {
  const page = readPage({ value, headers, asked }, { kind: 'connections' }, knownForms, isResource)?.page;
  if (page === undefined) throw new Error('no list');
  return page;
}

/** A list of one page, as an answer with these headers has it. */
const bare =
  (count: number, headers: Readonly<Record<string, string | string[]>> = {}): FetchPage<unknown> =>
  async () =>
    barePage(items(count), headers);

/** An envelope whose pages have so many items each. */
const enveloped =
  (counts: readonly number[], totals: readonly number[]): FetchPage<unknown> =>
  async ({ page = 1 }) => ({
    data: items(counts[page - 1] ?? 0, page),
    ...{ page, pages: counts.length, limit: 10, total: totals[page - 1] ?? totals[0] ?? 0 },
  });

/** Three items, and an empty page with this total after them. */
const pastEnd =
  (total: number): FetchPage<unknown> =>
  async ({ page }) =>
    page === undefined ? { data: items(3) } : { data: [], total };

/** Pages by cursors, which deletions do not shift. */
const byCursor =
  (counts: readonly number[], totals: readonly (number | undefined)[]): FetchPage<unknown> =>
  async ({ next }) => {
    const at = next !== undefined && 'value' in next ? 'abc'.indexOf(next.value) : 0;
    const value = 'abc'[at + 1];
    const onward =
      at + 1 < counts.length && value !== undefined ? { next: { parameter: 'cursor', value } } : {};
    return { data: items(counts[at] ?? 0, at), total: totals[at], onward };
  };

describe('a list is proved whole by', () => {
  it.each<[string, FetchPage<unknown>, number]>([
    ['an array that is the same for every page, and shorter than the limit', bare(9), 9],
    ['an array as long as X-Total-Count says', bare(10, { 'x-total-count': '10' }), 10],
    ['an array as long as the quota in use', bare(10, { 'x-quota-used': '10' }), 10],
    ['a short array, where the quota counts fewer', bare(9, { 'x-quota-used': '8' }), 9],
    ['links to other pages than a next one', bare(9, { link: '</a>; rel="prev", </b>; rel=nextish' }), 9],
    ['the last page of an envelope', enveloped([10, 10, 3], [23]), 23],
    ['the total of the last page, after creations', enveloped([10, 10, 5], [23, 24, 25]), 25],
    ['totals that shrink between cursors', byCursor([10, 10, 3], [25, 24, 23]), 23],
    ['the total of an empty last page', enveloped([10, 0], [10, 10]), 10],
    ['the total of the last page alone', byCursor([10, 3], [undefined, 13]), 13],
    ['an end after pages that count themselves', byCursor([10, 0], [10, 0]), 10],
    ['the last page, where the total counts something else', enveloped([10], [3]), 10],
    ['a page past the end, where the total counts something else', pastEnd(0), 3],
  ])('%s', async (_name, fetch, count) => {
    expect(await read(fetch, 10)).toHaveLength(count);
  });
});

describe('a list is not proved whole by', () => {
  const next = '</connections?page=2>; rel="next"';
  const more = 'names another page after';

  it.each<[string, FetchPage<unknown>, string]>([
    ['totals that shrink', enveloped([10, 10, 3], [25, 23, 23]), 'it shrank from 25 to 23 items'],
    [
      'totals that grow and then shrink',
      enveloped([10, 10, 4], [23, 25, 24]),
      'it shrank from 25 to 24 items',
    ],
    ['an array as long as the limit', bare(10), '10 items arrived, which fills the page'],
    ['an array longer than the limit', bare(12), '12 items arrived, which fills the page'],
    ['a short array with a next link', bare(3, { link: next }), `${more} 3 items, but page 2 repeats`],
    ['a next link among others', bare(3, { link: `</a>; rel=prev, ${next}` }), more],
    ['one of several headers with a next link', bare(3, { link: ['</a>; rel=prev', next] }), more],
    [
      'the first of two next links',
      bare(3, { link: `${next}, </teams>; rel="next"` }),
      `${more} 3 items, but page 2 repeats`,
    ],
    ['a next link with two relations', bare(3, { link: '</b>; rel="last next"' }), more],
    ['a next link without quotes', bare(3, { link: '</b>;Rel=Next' }), more],
    ['a larger X-Total-Count', bare(3, { 'x-total-count': '25' }), 'reports 25 items, but 3 arrived'],
    ['the largest of several counts', bare(3, { 'x-total-count': '3, 4' }), 'reports 4 items, but 3'],
    ['an array below what is in use', bare(3, { 'x-quota-used': '4' }), 'reports 4 items, but 3'],
    ['a count that is no number', bare(10, { 'x-total-count': 'many' }), '10 items arrived, which fills'],
    ['an envelope that ends early', enveloped([10, 0, 3], [23]), 'reports 23 items, but 10 arrived'],
    ['an envelope of too few pages', enveloped([10], [23]), 'reports 23 items, but 10 arrived'],
    ['an envelope that counts too many', enveloped([4100], [1e9]), 'reports 1000000000 items, but 4100'],
  ])('%s', async (_name, fetch, message) => {
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const { data } of followPages(fetch, { limit: 10 }, { what: 'items' })) seen.push(...data);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'server',
      message: expect.stringMatching(`^the list of items may be incomplete: .*${message}`),
      details: { retryable: false },
    });
    expect(seen.length).toBeGreaterThan(0);
  });
});
