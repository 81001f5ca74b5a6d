import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DigestMatcher } from '../../../src/signing/mistakes/attempt/digest-matcher.js';
import { rightAttempt } from '../../../src/signing/mistakes/attempt/signing-attempt.js';

const any = fc.record({
  // Longer keys than a block are hashed first.
  secret: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 70 }),
    fc.string({ minLength: 60, maxLength: 70 }),
  ),
  method: fc.constantFrom('GET', 'POST'),
  target: fc.uint8Array({ maxLength: 300 }),
  contentType: fc.string({ unit: 'grapheme', maxLength: 100 }),
  body: fc.uint8Array({ maxLength: 3000 }),
});
type Drawn = typeof any extends fc.Arbitrary<infer Value> ? Value : never;

const timestamp = '1700000000';

function toAttempt({ secret, ...request }: Drawn) {
  return rightAttempt(secret, { ...request, timestamp });
}

/** By createHmac alone. */
function digestOf({ method, target, contentType, body, secret }: Drawn, signed: string): Buffer {
  const hmac = createHmac('sha256', secret).update(`${method}\n`).update(target);
  const type = body.byteLength === 0 ? '' : contentType;
  return hmac.update(`\n${signed}\n${type}\n`).update(body).digest();
}

describe('a digest', () => {
  it('is matched by what it is of, and by nothing else, one matcher after the other', () => {
    fc.assert(
      fc.property(any, any, (one, other) => {
        const matcher = new DigestMatcher(digestOf(one, timestamp));
        const isSame = digestOf(other, timestamp).equals(digestOf(one, timestamp));
        expect(matcher.matches(toAttempt(other))).toBe(isSame);
        expect(matcher.matches(toAttempt(one))).toBe(true);
        expect(matcher.matches({ ...toAttempt(one), algorithm: 'sha512' })).toBe(false);
        expect(matcher.matches({ ...toAttempt(one), keyed: 'hash' })).toBe(false);
      }),
    );
  });

  it('is matched by each millisecond of the second', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: 999 }), (drawn, moment) => {
        const signed = `${timestamp}${String(moment).padStart(3, '0')}`;
        const matcher = new DigestMatcher(digestOf(drawn, signed));
        expect(matcher.findMoment(toAttempt(drawn))?.timestamp).toBe(signed);
        expect(matcher.findMoment({ ...toAttempt(drawn), method: 'PUT' })).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it.each(['sha1', 'sha512'] as const)('is matched by a millisecond with %s', (algorithm) => {
    const nothing = { contentType: '', body: Buffer.alloc(0) };
    const attempt = rightAttempt('s', { method: 'GET', target: '/', timestamp, ...nothing });
    const text = `GET\n/\n${timestamp}042\n\n`;
    const hmac = new DigestMatcher(createHmac(algorithm, 's').update(text).digest());
    expect(hmac.findMoment({ ...attempt, algorithm })?.timestamp).toBe(`${timestamp}042`);
    const plain = new DigestMatcher(createHash(algorithm).update(text).digest());
    expect(plain.findMoment({ ...attempt, algorithm, keyed: 'hash' })?.timestamp).toBe(`${timestamp}042`);
    expect(plain.findMoment(attempt)).toBeUndefined();
  });
});
