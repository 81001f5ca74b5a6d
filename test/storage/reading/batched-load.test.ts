import { expect, it } from 'vitest';
import { BatchedLoad } from '../../../src/storage/reading/batched-load.js';

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

it('no question is answered by a load that began before it', async () => {
  const { load, asked, ends } = controlled();
  const first = load.load('a');
  await expect.poll(() => asked.length).toBe(1);
  const second = load.load('a');
  await expect.poll(() => asked.length).toBe(2);
  for (const end of ends) end();
  expect(await Promise.all([first, second])).toEqual(['of a', 'of a']);
});

it('what there is not is undefined, and a failure is that of its own load alone', async () => {
  const { load, asked, ends } = controlled();
  const first: Promise<string | undefined>[] = [];
  for (const key of ['1', '2', '3', '4']) {
    first.push(load.load(key));
    await expect.poll(() => asked.length).toBe(first.length);
  }
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
