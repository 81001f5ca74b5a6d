import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

function sign(key: string, signed: SignableRequest): string {
  return hmacSignature(key, canonicalString(signed));
}

/** `text` with one character replaced by another one. */
function changeText(text: string, position: number): string {
  const at = position % text.length;
  return `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
}

function changeBytes(bytes: Uint8Array, position: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  const at = position % changed.length;
  changed[at] = (changed[at] ?? 0) ^ 0x01;
  return changed;
}

describe('verifySignature', () => {
  it('accepts what was signed', () => {
    fc.assert(fc.property(secret, request, (key, signed) => verifySignature(key, signed, sign(key, signed))));
  });

  const changes: Record<string, (signed: SignableRequest, at: number) => Partial<SignableRequest>> = {
    method: ({ method }, at) => ({ method: changeText(method, at) }),
    target: ({ target }, at) => ({ target: changeText(String(target), at) }),
    timestamp: ({ timestamp }, at) => ({ timestamp: changeText(timestamp, at) }),
    'content type': ({ contentType }, at) => ({ contentType: changeText(contentType, at) }),
    body: ({ body }, at) => ({ body: changeBytes(body, at) }),
    'body: one byte less': ({ body }) => ({ body: body.subarray(1) }),
    'body: one byte more': ({ body }) => ({ body: Buffer.concat([body, Buffer.alloc(1)]) }),
  };

  it.each(Object.entries(changes))('refuses another %s', (_part, change) => {
    fc.assert(
      fc.property(secret, request, fc.nat(), (key, signed, at) => {
        const changed = { ...signed, ...change(signed, at) };
        return !verifySignature(key, changed, sign(key, signed));
      }),
    );
  });

  it('refuses another secret', () => {
    fc.assert(
      fc.property(secret, request, fc.nat(), (key, signed, at) => {
        return !verifySignature(changeText(key, at), signed, sign(key, signed));
      }),
    );
  });

  it('refuses another signature', () => {
    fc.assert(
      fc.property(secret, request, fc.nat(), (key, signed, at) => {
        return !verifySignature(key, signed, changeText(sign(key, signed), at));
      }),
    );
  });

  it('leaves the method’s case and an unsigned content type alone', () => {
    const signed = { method: 'GET', target: '/a', timestamp: '1', contentType: '', body: Buffer.from('') };
    const received = { ...signed, method: 'get', contentType: 'application/json' };
    expect(verifySignature('secret', received, sign('secret', signed))).toBe(true);
  });
});
