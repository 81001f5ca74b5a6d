import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from '../../src/server/http/turns.js';

it('pieces of work come one at a time, those of different keys by turns, and everything else in between', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const work = async (whose: string) => {
    await turns.take(whose);
    done.push(whose);
  };
  const all = Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map(work));
  let most = 0;
  for (let seen = 0; done.length < 6; seen = done.length) {
    await setImmediate();
    most = Math.max(most, done.length - seen);
  }
  await all;
  expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  expect(most).toBe(1);
});

it('a turn that nobody waits for is there at once, again and again', async () => {
  const turns = new Turns();
  await turns.take('a');
  await turns.take('a');
  await expect(turns.take('b')).resolves.toBeUndefined();
});
