import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalString } from '../../../src/signing/hmac/signature.js';
import { equalInConstantTime, hmacSignature } from '../../../src/signing/index.js';

function byPlatform(secret: string, canonical: Uint8Array): string {
  return createHmac('sha256', secret).update(canonical).digest('hex');
}

describe('hmacSignature', () => {
  it('fits test case 2 of RFC 4231', () => {
    expect(hmacSignature('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('has the bytes of a target in it as they were sent', () => {
    const target = Buffer.from([0x2f, 0xff]);
    const request = { method: 'get', target, timestamp: '1', contentType: '', body: Buffer.alloc(0) };
    expect(canonicalString(request).toString('latin1')).toBe('GET\n/\u00ff\n1\n\n');
  });

  it('is what the platform makes of any secret and any bytes, one after the other', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(text, bytes, (secret, canonical) => {
        expect(hmacSignature(secret, canonical)).toBe(byPlatform(secret, canonical));
      }),
    );
  });

  it.each([
    ['a secret', 1, 0],
    ['a secret', 63, 100],
    ['a secret as long as a block', 64, 100],
    ['a secret longer than a block', 65, 100],
    ['a longer secret', 200, 5000],
    ['the longest short canonical string', 64, 4096],
    ['a long canonical string', 64, 4097],
    ['a body of a megabyte', 64, 1024 * 1024],
  ])('is what the platform makes of %s: %i and %i bytes', (_what, secretBytes, canonicalBytes) => {
    const secret = 's'.repeat(secretBytes);
    const canonical = Buffer.alloc(canonicalBytes, 'canonical');
    expect(hmacSignature(secret, canonical)).toBe(byPlatform(secret, canonical));
    // What a longer one left behind is no part of a shorter one.
    expect(hmacSignature('a', Buffer.from('b'))).toBe(byPlatform('a', Buffer.from('b')));
  });
});

describe('equalInConstantTime', () => {
  it.each(['', 'a', 'Größe-🔑', 'x'.repeat(10_000)])('%s equals itself', (text) => {
    expect(equalInConstantTime(text, text)).toBe(true);
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
