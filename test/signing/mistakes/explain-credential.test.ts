import { describe, expect, it } from 'vitest';
import { explainBasicFormat, explainTimestamp } from '../../../src/signing/mistakes/explain-credential.js';

const now = 1_700_000_000;
/** Ten years, by which a clock may be wrong for milliseconds still to be known as such. */
const tenYears = 10 * 366 * 86_400;
const inMilliseconds = 'X-API-Timestamp is in milliseconds, not in seconds';
const away = (seconds: number, side: string) =>
  `X-API-Timestamp is ${seconds} seconds ${side} the server's clock; 300 are tolerated`;

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

describe('explainBasicFormat', () => {
  const encoded = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;

  it.each([
    ['', 'the scheme of the Authorization header is not Basic'],
    ['Bearer abcd', 'the scheme of the Authorization header is not Basic'],
    ['Basic\tabcd', 'the scheme of the Authorization header is not Basic'],
    ['a\tBasic abcd', 'the scheme of the Authorization header is not Basic'],
    ['Basic', 'nothing comes after Basic in the Authorization header'],
    ['basic ', 'nothing comes after Basic in the Authorization header'],
    ['Basic abc', 'what comes after Basic is not base64 with its padding, on one line'],
    ['Basic YWJj\nYWJj', 'what comes after Basic is not base64 with its padding, on one line'],
    [encoded('key_a'), 'the decoded credentials have no colon between key ID and secret'],
    [encoded(Buffer.from([0x61, 0x3a, 0xff])), 'the decoded credentials are not UTF-8'],
  ])('%j', (header, reason) => {
    expect(explainBasicFormat(header)).toBe(reason);
  });
});
