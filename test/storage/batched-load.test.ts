import { expect, it } from 'vitest';
import { BatchedLoad } from '../../src/storage/batched-load.js';

/** Loads that end when they are told to, and what was asked in each. */
function controlled() {
  const asked: (readonly string[])[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const load = new BatchedLoad<string>((keys) => {
    asked.push(keys);
    return new Promise((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve(new Map(keys.map((key) => [key, `of ${key}`])))));
    });
  });
  return { load, asked, ends };
}

it('a question that comes alone is asked at once, and those of a flood together', async () => {
  const { load, asked, ends } = controlled();
  const keys = Array.from({ length: 2500 }, (_, index) => `key_${index}`);
  const answers = Promise.all(keys.map((key) => load.load(key)));
  expect(asked).toEqual([['key_0'], ['key_1'], ['key_2'], ['key_3']]);
  for (let ended = 0; ended < 7; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(ended);
    ends[ended]?.();
  }
  expect(await answers).toEqual(keys.map((key) => `of ${key}`));
  expect(asked.slice(4).map(({ length }) => length)).toEqual([1000, 1000, 496]);
});

it('what there is not is undefined, and a failure is that of its own load alone', async () => {
  const { load, asked, ends } = controlled();
  const first = [1, 2, 3, 4].map((key) => load.load(String(key)));
  const later = [load.load('a'), load.load('b'), load.load('a')];
  ends[0]?.(new Error('no database'));
  await expect(first[0]).rejects.toThrow('no database');
  await expect.poll(() => asked.at(-1)).toEqual(['a', 'b']);
  for (const end of ends.slice(1)) end();
  expect(await Promise.all(first.slice(1))).toEqual(['of 2', 'of 3', 'of 4']);
  expect(await Promise.all(later)).toEqual(['of a', 'of b', 'of a']);
  const nothing = new BatchedLoad<string>(() => Promise.resolve(new Map()));
  expect(await nothing.load('a')).toBeUndefined();
});
