import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { allPages, type FetchPage } from '../../src/commands/pages.js';

const context = {
  note: () => Promise.resolve(),
  progress: () => Promise.resolve({ tick: () => undefined, done: () => undefined }),
};

function pagesUpTo(last: number) {
  const asked: (number | undefined)[] = [];
  const fetch: FetchPage = async ({ page = 1 }) => {
    asked.push(page);
    if (page > last) throw new Error(`page ${page} failed`);
    return { data: [{ id: `${page}-0` }, { id: `${page}-1` }], total: 20, page, pages: 10 };
  };
  return { asked, items: allPages(fetch, {}, 'things', context) };
}

it('asks for the next page, and no further one, while a page is taken', async () => {
  const { asked, items } = pagesUpTo(10);
  await items.next();
  expect(asked).toEqual([1, 2]);
  await items.next();
  await setImmediate();
  expect(asked).toEqual([1, 2]);
  await items.next();
  expect(asked).toEqual([1, 2, 3]);
});

it('keeps the failure of the next page until all items before it were taken, however long that takes', async () => {
  const { items } = pagesUpTo(1);
  await items.next();
  await setImmediate();
  expect(await items.next()).toMatchObject({ value: { id: '1-1' } });
  await expect(items.next()).rejects.toThrow('page 2 failed');
});

it('says nothing of a failure that nobody comes to', async () => {
  const { items } = pagesUpTo(1);
  await items.next();
  await items.return(undefined);
  await setImmediate();
});
