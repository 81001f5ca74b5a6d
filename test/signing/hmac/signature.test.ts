import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalString,
  equalInConstantTime,
  hmacSignature,
  type SignableRequest,
  verifySignature,
} from '../../../src/signing/index.js';

it.each(['', 'é'])('the bytes of a target are signed as they were sent, with the body %j', (body) => {
  const target = Buffer.from([0x2f, 0xff, 0xc3, 0x28, 0x80]);
  const request = { method: 'get', target, timestamp: '1', contentType: '', body: Buffer.from(body) };
  expect(canonicalString(request)).toEqual(
    Buffer.concat([Buffer.from('GET\n'), target, Buffer.from(`\n1\n\n${body}`)]),
  );
});

/** `text` with one character replaced by another one. */
function changeText(text: string, position: number): string {
  const at = position % text.length;
  return `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
}

it('a signature is accepted for what was signed, and for nothing else', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 1 });
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
    target: fc.webPath().map((path) => `/${path}`),
    timestamp: fc.nat().map(String),
    contentType: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain'),
    body: fc.uint8Array({ minLength: 1 }),
  });
  fc.assert(
    fc.property(secret, request, fc.nat(), (key, signed, at) => {
      const signature = hmacSignature(key, canonicalString(signed));
      const { method, target, timestamp, contentType, body } = signed;
      const changes: Partial<SignableRequest>[] = [
        { method: changeText(method, at) },
        { target: changeText(target, at) },
        { timestamp: changeText(timestamp, at) },
        { contentType: changeText(contentType, at) },
        { body: body.map((byte, place) => (place === at % body.length ? byte ^ 0x01 : byte)) },
        { body: body.subarray(1) },
        { body: Buffer.concat([body, Buffer.alloc(1)]) },
      ];
      expect(verifySignature(key, signed, signature)).toBe(true);
      for (const change of changes) {
        expect(verifySignature(key, { ...signed, ...change }, signature)).toBe(false);
      }
      expect(verifySignature(changeText(key, at), signed, signature)).toBe(false);
      expect(verifySignature(key, signed, changeText(signature, at))).toBe(false);
      expect(verifySignature(key, signed, signature.toUpperCase())).toBe(false);
    }),
  );
});

describe('equalInConstantTime', () => {
  it.each([
    ['Größe-🔑', 'Größe-🔑', true],
    ['', '', true],
    ['a', 'A', false],
    ['a', '', false],
    ['a', 'aa', false],
    ['a', 'a\0', false],
    ['é', 'e\u0301', false],
  ])('%j and %j: %s', (left, right, isEqual) => {
    expect(equalInConstantTime(left, right)).toBe(isEqual);
  });
});
