import { expect, it, onTestFinished, vi } from 'vitest';
import { allPages, type FetchResources, onePage } from '../../../src/commands/resource/pages.js';
import { pageAnswer, pageOf, scriptedService } from '../../commands/support/scripted-service.js';
import { runCli } from '../../support/run-cli.js';

const context = {
  note: () => Promise.resolve(),
  progress: () => Promise.resolve({ tick: () => undefined, done: () => undefined }),
};

/** Time stands still but for what is returned, which has so many milliseconds pass. */
function holdTime(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds);
}

function pagesUpTo(last: number) {
  const asked: (number | undefined)[] = [];
  const fetch: FetchResources = async ({ page = 1 }) => {
    asked.push(page);
    if (page > last) throw new Error(`page ${page} failed`);
    return { data: [{ id: `${page}-0` }, { id: `${page}-1` }], total: 20, page, pages: 10 };
  };
  return { asked, items: allPages(fetch, {}, 'things', context) };
}

it('asks for a page when all items before it were taken', async () => {
  const { asked, items } = pagesUpTo(1);
  await items.next();
  expect(await items.next()).toMatchObject({ value: { id: '1-1' } });
  expect(asked).toEqual([1]);
  await expect(items.next()).rejects.toThrow('page 2 failed');
});

it.each([{ limit: 9, used: 2, remaining: 7 }, undefined])(
  'the quota of a whole list is that of its last page: %j',
  async (quota) => {
    const ends: unknown[] = [];
    const first = { limit: 9, used: 3, remaining: 6 };
    const fetch: FetchResources = async ({ page = 1 }) => {
      const onward = { quota: page === 1 ? first : quota };
      return { data: [{ id: `${page}` }], total: 2, page, pages: 2, onward };
    };
    const items = allPages(fetch, {}, 'things', context, { onEnd: (end) => ends.push(end) });
    for await (const { id } of items) expect(id).toBeDefined();
    expect(ends).toEqual([{ listed: 2, quota }]);
  },
);

it.each(['teams list --all', 'request GET /teams --paginate'])(
  '%s ends when all pages together took longer than the deadline, however many there are said to be',
  async (line) => {
    const passTime = holdTime();
    const { env } = await scriptedService({
      'GET /teams': (request) => {
        passTime(100);
        const page = pageOf(request);
        return pageAnswer([{ id: `${page}` }], { total: 1e9, page, pages: 1e9 + page });
      },
    });
    const { code, stdout, stderr } = await runCli(
      [...line.split(' '), '--deadline', '300ms', '-o', 'jsonl'],
      { env },
    );
    expect([code, stdout.startsWith('{"id":"1"}\n{"id":"2"}\n')]).toEqual([9, true]);
    expect(stderr).toMatch(/the deadline of 300ms.*raise the deadline.*600ms/);
  },
);

it('a page that only the quota counts is said to be unknown', async () => {
  const notes: string[] = [];
  const note = async (text: string) => void notes.push(text);
  const fetch: FetchResources = async () => ({ data: [{ id: '1' }], total: 9, onward: { isQuota: true } });
  for await (const { id } of onePage(fetch, { page: 2 }, { note })) expect(id).toBe('1');
  expect(notes).toEqual([
    'page 2 was requested; the response does not say which page it is',
    'showing 1 of 9; everything: --all',
  ]);
});
