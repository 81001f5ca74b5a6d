import { expect, it } from 'vitest';
import { parseDuration, readTime } from '../../src/text/duration.js';

it.each([
  ['500ms', 500],
  ['1.5s', 1_500],
  ['1d', 86_400_000],
  ['30', undefined],
  ['-1s', undefined],
  ['1s1ms', undefined],
  [`${2 ** 31}ms`, undefined],
])('%s is %s milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

it.each([
  ['2026-01-31 12:00:00', 12],
  ['2026-01-31', 0],
  ['2026-01-31T12:00:00-05:00', 17],
])('%s is in its own zone or in UTC', (text, hour) => {
  expect(readTime(text)).toBe(Date.UTC(2026, 0, 31, hour));
});
