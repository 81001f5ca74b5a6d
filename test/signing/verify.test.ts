import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  canonicalString,
  hmacSignature,
  type SignableRequest,
  verifySignature,
} from '../../src/signing/index.js';

const printable = fc
  .string({ unit: 'binary-ascii', minLength: 1 })
  .map((text) => text.replace(/[^\x21-\x7e]/g, '_'));
const secret = fc.string({ unit: 'grapheme', minLength: 1 });
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
  target: printable.map((text) => `/${text}`),
  timestamp: fc.nat().map(String),
  contentType: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain'),
  body: fc.uint8Array({ minLength: 1 }),
});

/** `text` with one character replaced by another one. */
function changeText(text: string, position: number): string {
  const at = position % text.length;
  return `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
}

it('a signature is accepted for what was signed, and for nothing else', () => {
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
    }),
  );
});
