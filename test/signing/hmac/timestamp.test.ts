import { describe, expect, it } from 'vitest';
import { explainTimestamp, isInMilliseconds } from '../../../src/signing/hmac/timestamp.js';
import { defaultMaxSkew, parseTimestamp, timestampOf, withinSkew } from '../../../src/signing/index.js';

describe('timestampOf', () => {
  it.each([
    [999, '0'],
    [1_000, '1'],
  ])('%i ms is %s', (milliseconds, expected) => {
    expect(timestampOf(milliseconds)).toBe(expected);
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['0', 0],
    ['1700000000', 1_700_000_000],
    ['1700000000000', 1_700_000_000_000],
    ['999999999999999', 999_999_999_999_999],
  ])('reads %s', (header, seconds) => {
    expect(parseTimestamp(header)).toBe(seconds);
  });

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['leading zeros', '01700000000'],
    ['a minus sign', '-1700000000'],
    ['a fraction', '1700000000.0'],
    ['hexadecimal', '0x6553f100'],
    ['a date', '2023-11-14T22:13:20Z'],
    ['spaces around', ' 1700000000 '],
    ['a trailing line feed', '1700000000\n'],
    ['digits of another script', '١٧٠٠٠٠٠٠٠٠'],
    ['more digits than a number holds exactly', '9007199254740993'],
  ])('refuses %s', (_case, header) => {
    expect(parseTimestamp(header)).toBeUndefined();
  });
});

describe('withinSkew', () => {
  const now = 1_700_000_000_000;
  const at = 1_700_000_000;

  it.each([
    ['the same second', now, at, true],
    ['the bound behind', now, at - defaultMaxSkew, true],
    ['the bound ahead', now, at + defaultMaxSkew, true],
    ['one second beyond the bound behind', now, at - defaultMaxSkew - 1, false],
    ['one second beyond the bound ahead', now, at + defaultMaxSkew + 1, false],
    ['the bound behind, late in the second', now + 999, at - defaultMaxSkew, true],
    ['the bound ahead, late in the second', now + 999, at + defaultMaxSkew, true],
    ['milliseconds', now, now, false],
  ])('%s', (_case, clock, timestamp, within) => {
    expect(withinSkew(timestamp, clock, defaultMaxSkew)).toBe(within);
  });

  it('takes another tolerance', () => {
    expect(withinSkew(at - 1, now, 0)).toBe(false);
    expect(withinSkew(at, now, 0)).toBe(true);
  });
});

describe('isInMilliseconds', () => {
  it.each([
    ['1700000000000', true],
    ['1000000000000', true],
    ['999999999999', false],
    ['1700000000', false],
    ['+1700000000000', false],
    ['1700000000000.5', false],
  ])('%s: %s', (timestamp, expected) => {
    expect(isInMilliseconds(timestamp)).toBe(expected);
  });
});

const now = 1_700_000_000;
/** Ten years, by which a clock may be wrong for milliseconds still to be known as such. */
const tenYears = 10 * 366 * 86_400;
const inMilliseconds = 'X-API-Timestamp is in milliseconds, not in seconds';
const away = (seconds: number, side: string) =>
  `X-API-Timestamp is ${seconds} seconds ${side} the server's clock; the limit is 300`;

describe('explainTimestamp', () => {
  it.each([
    ['', now, { reason: 'X-API-Timestamp is missing' }],
    ['soon', now, { reason: 'X-API-Timestamp is not a decimal number of seconds' }],
    [String(now - 301), now, { reason: away(301, 'behind'), skew: -301 }],
    [String(now + 301), now, { reason: away(301, 'ahead of'), skew: 301 }],
    [String(now), now, { reason: away(0, 'ahead of'), skew: 0 }],
    [`${now}123`, now, { reason: inMilliseconds, skew: now * 999 + 123 }],
    [`${now + tenYears - 1}000`, now, { reason: inMilliseconds, skew: (now + tenYears - 1) * 1000 - now }],
    [`${now - tenYears + 1}000`, now, { reason: inMilliseconds, skew: (now - tenYears + 1) * 1000 - now }],
    // Neither a time nor a time in milliseconds.
    [`${now + tenYears}000`, now, { reason: expect.stringContaining('ahead of'), skew: expect.any(Number) }],
    [`${now - tenYears}000`, now, { reason: expect.stringContaining('ahead of'), skew: expect.any(Number) }],
    // By a clock that begins in 1970 all small numbers are near.
    ['5000', 0, { reason: away(5000, 'ahead of'), skew: 5000 }],
    ['100000000000', 100_000_000, { reason: away(99_900_000_000, 'ahead of'), skew: 99_900_000_000 }],
    ['100000000001', 100_000_000, { reason: inMilliseconds, skew: 99_900_000_001 }],
  ])('%j at %i', (header, server, explanation) => {
    expect(explainTimestamp(header, server * 1000 + 999, 300)).toEqual(explanation);
  });
});
