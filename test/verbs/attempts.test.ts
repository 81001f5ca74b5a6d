import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  InterruptedError,
  NetworkError,
  OutcomeUnknownError,
  ServiceError,
} from '../../src/errors/errors.js';
import { attemptAll } from '../../src/verbs/attempts.js';

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

  it.each([
    new ServiceError('unauthenticated', 'no', { status: 401 }),
    new ServiceError('forbidden', 'no', { status: 403 }),
    new ServiceError('quota_exceeded', 'no', { status: 403 }),
    new ConfigError('no'),
    new TypeError('a bug'),
  ])('stop at an error that all would meet: $name $code', async (error) => {
    const outcomes = await outcomesOf([() => Promise.reject(error), ...many(40, done)]);
    expect(outcomes).toMatch(/^fd{0,7}n{33,}$/);
  });

  it.each([
    new NetworkError('no'),
    new ServiceError('server', 'no', { status: 500 }),
    new OutcomeUnknownError('no'),
  ])('stop at eight in a row of what may pass: $name', async (error) => {
    const outcomes = await outcomesOf(many(40, () => Promise.reject(error)));
    expect(outcomes).toMatch(/^[fu]{8,15}n{25,}$/);
  });

  it.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
    'stop at %s, of which it is not known what became of the request',
    async (signal) => {
      const error = new InterruptedError(signal, { method: 'POST' });
      const outcomes = await outcomesOf([() => Promise.reject(error), ...many(40, done)]);
      expect(outcomes).toMatch(/^ud{0,7}n{33,}$/);
    },
  );

  it('were not tried where a signal came before anything was sent', async () => {
    const tasks = many(20, () => Promise.reject(new InterruptedError('SIGINT')));
    const outcomes = [];
    for await (const outcome of attemptAll(tasks)) outcomes.push(outcome);
    expect(outcomes).toEqual(many(20, { kind: 'not tried', reason: 'interrupted' }));
  });
});
