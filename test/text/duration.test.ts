import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  explainDuration,
  explainSignedDuration,
  formatDuration,
  parseDuration,
} from '../../src/text/duration.js';

const longest = 2 ** 31 - 1;

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['1.5s', 1_500],
    ['0s', 0],
    [`${longest}ms`, longest],
  ])('%s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '30', '-1s', '1 s', '1s\n', '1S', '.5s', '1.s', '1e3s', '1s1ms', '1w', `${longest + 1}ms`])(
    'refuses %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [1_500, '1500ms'],
    [30_000, '30s'],
    [90_000, '90s'],
    [120_000, '2m'],
    [7_200_000, '2h'],
  ])('%i ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it('is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: longest }), (milliseconds) => {
        return parseDuration(formatDuration(milliseconds)) === milliseconds;
      }),
    );
  });
});

describe('explainDuration', () => {
  it.each([
    ['30', 'is not a duration such as 500ms, 30s or 2m'],
    ['0s', 'must be more than 0'],
    ['25d', 'is longer than 24 days'],
    ['-5s', 'is not a duration such as 500ms, 30s or 2m'],
  ])('%s', (text, why) => {
    expect(explainDuration(text)).toBe(`"${text}" ${why}`);
  });

  it.each([
    ['soon', 'is not a duration such as 500ms, 30s or 2m'],
    ['-999999999999999d', 'is not a duration such as 500ms, 30s or 2m'],
  ])('%s, with a sign or without', (text, why) => {
    expect(explainSignedDuration(text)).toBe(`"${text}" ${why}`);
  });
});
