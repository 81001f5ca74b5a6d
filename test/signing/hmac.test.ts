import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { equalInConstantTime, hmacSignature } from '../../src/signing/index.js';

describe('hmacSignature', () => {
  it('fits test case 2 of RFC 4231', () => {
    expect(hmacSignature('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('signs bytes, not text', () => {
    const bytes = Buffer.from([0x00, 0xff, 0xfe]);
    expect(hmacSignature('secret', bytes)).toBe(createHmac('sha256', 'secret').update(bytes).digest('hex'));
  });
});

describe('equalInConstantTime', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    ['Größe-🔑', 'Größe-🔑'],
    ['x'.repeat(10_000), 'x'.repeat(10_000)],
  ])('%s equals itself', (left, right) => {
    expect(equalInConstantTime(left, right)).toBe(true);
  });

  it.each([
    ['a', 'b'],
    ['a', 'A'],
    ['a', ''],
    ['', 'a'],
    ['a', 'aa'],
    ['a', 'a\0'],
    ['a', 'a\n'],
    ['é', 'e\u0301'],
  ])('%j differs from %j', (left, right) => {
    expect(equalInConstantTime(left, right)).toBe(false);
  });
});
