import { expect, it } from 'vitest';
import { readTimeSpan } from '../../../src/client/reading/record/time-span.js';

const at = Date.UTC(2026, 10, 1, 10, 30);
const hour = 3_600_000;

it.each([
  ...['2026-11-01T10:30:00Z', '2026-11-01T10:30:00.000000Z', '2026-11-01t10:30z', '2026-11-01 10:30:00Z'],
  ...['2026-11-01 10:30:00 UTC', '2026-11-01 10:30:00 GMT', '2026-11-01 12:30:00+02:00'],
  ...['2026-11-01 08:30:00 -0200', '2026-11-01T12:30:00+02', 'Sun, 01 Nov 2026 10:30:00 GMT'],
  ...['Sun, 1 Nov 2026 12:30:00 +0200', '1 Nov 2026 10:30 UTC', at / 1000, at, `${at / 1000}`, `${at}`],
])('%j is one moment', (value) => {
  expect(readTimeSpan(value)).toEqual({ earliest: at, latest: at });
});

it.each([
  ['2026-11-01T10:30:00', -14 * hour, 12 * hour],
  ['2026-11-01 10:30', -14 * hour, 12 * hour],
  ['2026-11-01', -24.5 * hour, 25.5 * hour],
])('%s is a moment in some time zone', (value, earliest, latest) => {
  expect(readTimeSpan(value)).toEqual({ earliest: at + earliest, latest: at + latest });
});

it.each([
  ...['', 'soon', '5', '20261101', '20261101103000', '01/11/2026', '01.11.2026', 'Nov 1 2026', '2026-13-01'],
  ...['2026-11-01 10:30:00 CET', '2026-11-01 10:30:00 PM', 'Sun, 01 Nov 2026 10:30:00', '2026-11-01T25:00Z'],
  ...[5, 20_261_101, 1e15, -1, Number.NaN, true, null, undefined, {}, ['2026-11-01T10:30:00Z']],
])('%j is nothing that can be read', (value) => {
  expect(readTimeSpan(value)).toBe(undefined);
});
