import { describe, expect, it } from 'vitest';
import { attemptAll } from '../../../src/commands/resource/attempts.js';
import {
  ConfigError,
  InterruptedError,
  NetworkError,
  OutcomeUnknownError,
  ServiceError,
} from '../../../src/errors/errors.js';

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

  const allWouldMeet = [
    ...(['unauthenticated', 'forbidden', 'quota_exceeded'] as const).map(
      (code) => new ServiceError(code, 'no'),
    ),
    ...[new ConfigError('no'), new TypeError('a bug')],
  ];
  const mayPass = [new NetworkError('no'), new ServiceError('server', 'no'), new OutcomeUnknownError('no')];
  const interrupted = new InterruptedError('SIGTERM', { method: 'POST' });

  it.each<[string, readonly Error[], RegExp]>([
    ['an error that all would meet', allWouldMeet, /^fd{0,7}n{33,}$/],
    ['a signal, of which it is not known what became of the request', [interrupted], /^ud{0,7}n{33,}$/],
  ])('stop at %s', async (_what, errors, letters) => {
    for (const error of errors)
      expect(await outcomesOf([() => Promise.reject(error), ...many(40, done)]), error.name).toMatch(letters);
  });

  it.each(mayPass)('stop at eight in a row of what may pass: $name', async (error) => {
    expect(await outcomesOf(many(40, () => Promise.reject(error)))).toMatch(/^[fu]{8,15}n{25,}$/);
  });

  it('were not tried where a signal came before anything was sent', async () => {
    const tasks = many(20, () => Promise.reject(new InterruptedError('SIGINT')));
    const outcomes = [];
    for await (const outcome of attemptAll(tasks)) outcomes.push(outcome);
    expect(outcomes).toEqual(many(20, { kind: 'not tried', reason: 'interrupted' }));
  });
});
