import { expect, it } from 'vitest';
import { showAge } from '../../../src/terminal/text/age.js';

const now = Date.parse('2026-03-01T12:00:00Z');

it.each([
  ['2026-03-01T12:00:00.000Z', '0s'],
  ['2026-03-01T11:59:18.000Z', '42s'],
  ['2026-03-01T11:55:00.000Z', '5m'],
  ['2026-03-01T04:30:00+00:00', '7h'],
  ['2024-03-01T12:00:00Z', '730d'],
  ['2026-03-01T12:00:59Z', '0s'],
  ['2026-03-01T12:05:00Z', 'in 5m'],
  ['then', 'then'],
  ['2026-13-41T00:00:00Z', '2026-13-41T00:00:00Z'],
  [7, '7'],
])('%j is %s old', (value, age) => {
  expect(showAge(value, now)).toBe(age);
});
