import { describe, expect, it } from 'vitest';
import { ReadCache } from '../../../src/storage/reading/read-cache.js';

/** A loader that counts its calls, as the value it loads. */
function counter() {
  let calls = 0;
  return () => {
    calls += 1;
    return Promise.resolve(calls);
  };
}

describe('ReadCache', () => {
  it('does not keep what a write has overtaken', async () => {
    const cache = new ReadCache<string>(10);
    let finish: (value: string) => void = () => undefined;
    const reading = cache.read('a', () => new Promise((resolve) => (finish = resolve)));
    cache.forget('a');
    finish('stale');
    expect(await reading).toBe('stale');
    expect(await cache.read('a', () => Promise.resolve('fresh'))).toBe('fresh');
  });

  it('keeps that there is nothing, where it is to, until it is forgotten, too old or one of too many', async () => {
    let now = 0;
    const cache = new ReadCache<string>(2, { absent: 2, maxAge: 500, clock: () => now });
    let loads = 0;
    const load = (value?: string) => () => {
      loads += 1;
      return Promise.resolve(value);
    };
    expect(await cache.read('kept', load('value'))).toBe('value');
    for (const key of ['a', 'b', 'a', 'b']) expect(await cache.read(key, load())).toBeUndefined();
    expect(loads).toBe(3);
    cache.forget('a');
    expect(await cache.read('a', load('made'))).toBe('made');
    for (const key of ['c', 'd', 'c', 'd', 'b']) expect(await cache.read(key, load())).toBeUndefined();
    expect(loads).toBe(7);
    // The values have their places for themselves.
    expect(await cache.read('kept', load())).toBe('value');
    now = 500;
    expect(await cache.read('b', load('made elsewhere'))).toBe('made elsewhere');
  });

  it('reads once for all who ask meanwhile, unless a write came between', async () => {
    const cache = new ReadCache<number>(10);
    const load = counter();
    const together = [cache.read('a', load), cache.read('a', load)];
    cache.forget('a');
    const after = cache.read('a', load);
    expect(await Promise.all([...together, after])).toEqual([1, 1, 2]);
    expect(await cache.read('a', load)).toBe(2);
  });

  it('reads again after a failure', async () => {
    const cache = new ReadCache<string>(10);
    const failing = () => cache.read('a', () => Promise.reject(new Error('no disk')));
    await expect(Promise.all([failing(), failing()])).rejects.toThrow('no disk');
    expect(await cache.read('a', () => Promise.resolve('fresh'))).toBe('fresh');
  });

  it('gives up the value that was used longest ago', async () => {
    const cache = new ReadCache<number>(2);
    const load = counter();
    for (const key of ['a', 'b', 'a', 'c']) await cache.read(key, load);
    expect(await cache.read('a', load)).toBe(1);
    expect(await cache.read('b', load)).toBe(4);
  });

  it('of no capacity keeps nothing', async () => {
    const cache = new ReadCache<number>(0);
    const load = counter();
    expect([await cache.read('a', load), await cache.read('a', load)]).toEqual([1, 2]);
    expect(await Promise.all([cache.read('a', load), cache.read('a', load)])).toEqual([3, 4]);
  });

  it('of values that others write keeps none longer than its age', async () => {
    let now = 0;
    const cache = new ReadCache<number>(10, { maxAge: 500, clock: () => now });
    const load = counter();
    expect(await cache.read('a', load)).toBe(1);
    now = 499;
    expect([await cache.read('a', load), await cache.read('b', load)]).toEqual([1, 2]);
    now = 500;
    expect([await cache.read('a', load), await cache.read('b', load)]).toEqual([3, 4]);
    // Nor one whose reading began before, however late it ended.
    let finish: (value: number) => void = () => undefined;
    const reading = cache.read('c', () => new Promise((resolve) => (finish = resolve)));
    now = 1000;
    expect(await cache.read('a', load)).toBe(5);
    finish(0);
    expect([await reading, await cache.read('c', load)]).toEqual([0, 6]);
  });
});
