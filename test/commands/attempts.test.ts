import { describe, expect, it } from 'vitest';
import { attemptAll } from '../../src/commands/attempts.js';
import { ServiceError } from '../../src/errors.js';

const trouble = async () => {
  throw new ServiceError('server', 'oops', { status: 500 });
};
const refused = async () => {
  throw new ServiceError('rejected', 'no', { status: 400 });
};
const done = async () => 'done';

const many = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

/** What became of tasks that end in the order in which they begin, as a letter each. */
async function outcomesOf(tasks: readonly (() => Promise<string>)[]): Promise<string> {
  let letters = '';
  for await (const { kind } of attemptAll(tasks)) letters += kind[0];
  return letters;
}

describe('many tasks', () => {
  it('go on after seven failures in a row, however often', async () => {
    const tasks = many(5, [...many(7, trouble), done]).flat();
    expect(await outcomesOf(tasks)).toBe(`${'f'.repeat(7)}d`.repeat(5));
  });

  it('stop after eight in a row: what has begun by then is ended, and nothing else is begun', async () => {
    const outcomes = await outcomesOf([...many(3, trouble), done, ...many(40, trouble)]);
    expect(outcomes).toMatch(/^fffdf{8,15}n{25,}$/);
    expect(outcomes).toHaveLength(44);
  });

  it('go on after any number of entries that are refused for themselves', async () => {
    expect(await outcomesOf([...many(7, trouble), refused, ...many(7, trouble), ...many(20, refused)])).toBe(
      'f'.repeat(35),
    );
  });
});
