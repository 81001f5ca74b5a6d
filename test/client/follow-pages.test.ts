import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type FetchPage, followPages } from '../../src/client/follow-pages.js';
import { NetworkError } from '../../src/errors.js';

/** Time stands still but for what is returned, which has so many milliseconds pass. */
function holdTime(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds);
}

describe('the deadline of following pages', () => {
  const teams = { what: 'teams' };
  const pageOf = (page = 1) => ({ data: [{ id: `team_${page}` }], page, pages: 3 });

  it('is for reading all of them: each has what those before it left, and then there is an error', async () => {
    const passTime = holdTime();
    const left: unknown[] = [];
    const fetch: FetchPage<unknown> = async ({ page, deadline }, ofThat) => {
      left.push([deadline, ofThat]);
      passTime(30_000);
      return pageOf(page);
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
        details: { retryable: true, hint: 'allow more time: `deadline: 120000`' },
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
      return pageOf(page);
    };
    for await (const _page of followPages(fetch, { deadline: 60_000 }, teams)) passTime(60_000);
    expect(left).toEqual([60_000, 60_000, 60_000]);
  });
});

describe('pages of what has no ID', () => {
  const following = async (names: readonly (string | undefined)[]) => {
    const fetch: FetchPage<unknown> = async ({ page = 1 }) => {
      const name = names[page - 1];
      return { data: name === undefined ? [] : [{ name }], pages: names.length, total: names.length };
    };
    const seen: unknown[] = [];
    for await (const { data } of followPages(fetch, {}, { what: 'items' })) seen.push(...data);
    return seen;
  };

  it('are told from each other by all of it', async () => {
    expect(await following(['a', 'b', 'c'])).toHaveLength(3);
    await expect(following(['a', 'b', 'a'])).rejects.toThrow(
      expect.objectContaining({
        code: 'server',
        message: 'the list of items does not continue properly: page 3 repeats an earlier page',
        details: { retryable: false, hint: 'single pages can still be read' },
      }),
    );
  });

  it('end where one is empty, whatever was announced, and nobody has to hear of it', async () => {
    expect(await following(['a', undefined, 'c'])).toHaveLength(1);
  });
});
