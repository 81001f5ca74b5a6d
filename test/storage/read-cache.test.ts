import { expect, it, vi } from 'vitest';
import { ReadCache } from '../../src/storage/read-cache.js';

/** A loader that counts its calls, as the value it loads. */
function counter() {
  let calls = 0;
  return () => {
    calls += 1;
    return Promise.resolve(calls);
  };
}

it('keeps values until a write, and none that the write has overtaken', async () => {
  const cache = new ReadCache<string>();
  expect(await cache.read('a', async () => 'first')).toBe('first');
  expect(cache.kept('a')).toBe('first');
  let finish: (value: string) => void = () => undefined;
  cache.forgetAll();
  const reading = cache.read('a', () => new Promise((resolve) => (finish = resolve)));
  cache.forgetAll();
  finish('stale');
  expect(await reading).toBe('stale');
  expect(await cache.read('a', async () => 'fresh')).toBe('fresh');
});

it('keeps nothing longer than its age', async () => {
  const load = counter();
  const none = new ReadCache<number>(0);
  expect([await none.read('a', load), await none.read('a', load)]).toEqual([1, 2]);
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const cache = new ReadCache<number>(500);
    expect([await cache.read('a', load), await cache.read('a', load)]).toEqual([3, 3]);
    vi.advanceTimersByTime(500);
    expect(await cache.read('a', load)).toBe(4);
  } finally {
    vi.useRealTimers();
  }
});
