import { describe, expect, it } from 'vitest';
import { rightAttempt, withoutLine } from '../../../src/signing/mistakes/attempt/signing-attempt.js';
import { visibleAttempt, visibleCanonical } from '../../../src/signing/mistakes/visible-canonical.js';

const secret = 'S'.repeat(64);
const request = {
  method: 'POST',
  target: '/teams',
  timestamp: '1700000000',
  contentType: 'application/json',
  body: Buffer.from('{"name":"a"}'),
};

describe('what is shown of a canonical string', () => {
  it('has no line for a content type that was not signed', () => {
    const attempt = withoutLine(rightAttempt(secret, request), 'contentType');
    expect(visibleAttempt(attempt, secret)).toBe('POST\\n/teams\\n1700000000\\n{"name":"a"}');
  });

  it('is all of it up to 4,096 characters', () => {
    const rest = 'GET\\n\\n1700000000\\n\\n'.length;
    const target = (length: number) => '/a'.repeat(length).slice(0, length - rest);
    const shown = (length: number) =>
      visibleCanonical({ ...request, method: 'GET', target: target(length), body: Buffer.alloc(0) });
    expect(shown(4096)).toBe(`GET\\n${target(4096)}\\n1700000000\\n\\n`);
    expect(shown(4097)).toBe(`GET\\n${target(4097)}\\n1700000000\\n\\… (1 more characters)`);
  });

  it('ends between characters', () => {
    for (const first of ['', 'a']) {
      const body = Buffer.from(JSON.stringify({ name: first + '🚀'.repeat(3000) }));
      const shown = visibleCanonical({ ...request, body });
      const end = shown.indexOf('…');
      expect(end === 4096 || end === 4095).toBe(true);
      expect(shown.slice(0, end)).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('has the secret nowhere, not even as a part of a word', () => {
    expect(visibleCanonical(request, 'eam')).toBe(
      'POST\\n/t********s\\n1700000000\\napplication/json\\n{"name":"a"}',
    );
  });

  it('has names for what does not print, and for bytes that are no text', () => {
    const shown = (target: string | Buffer) =>
      visibleCanonical({ ...request, method: 'GET', target, body: Buffer.alloc(0) }).split(
        '\\n1700000000',
      )[0];
    expect(shown('/\u0080\u007f\t\u2028')).toBe(String.raw`GET\n/\u{80}\x7f\t\u{2028}`);
    expect(shown(Buffer.from([0x2f, 0xff, 0x01, 0x0a, 0x5c, 0x61]))).toBe(String.raw`GET\n/\xff\x01\n\\a`);
  });
});
