import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalString,
  explainMismatch,
  hmacSignature,
  type SignableRequest,
  visibleCanonical,
} from '../../src/signing/index.js';

const secret = 'SecretSecretSecret-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFG';
const get: SignableRequest = {
  method: 'get',
  target: '/connections?limit=2',
  timestamp: '1700000000',
  contentType: '',
  body: Buffer.alloc(0),
};

function post(body: string | Buffer): SignableRequest {
  return { ...get, method: 'POST', target: '/teams', contentType: 'text/plain', body: Buffer.from(body) };
}

/** What is shown of a body. */
function visibleBody(body: string | Buffer): string {
  return visibleCanonical(post(body)).replace('POST\\n/teams\\n1700000000\\ntext/plain\\n', '');
}

describe('visibleCanonical', () => {
  it('shows line ends', () => {
    expect(visibleCanonical(get)).toBe('GET\\n/connections?limit=2\\n1700000000\\n\\n');
  });

  it.each([
    ['line ends and tabs', 'a\r\n\tb\n', 'a\\r\\n\\tb\\n'],
    ['a backslash', 'a\\nb', 'a\\\\nb'],
    ['UTF-8', 'Größe 🚀', 'Größe 🚀'],
    ['a byte order mark', '\ufeffa', '\\u{feff}a'],
    ['terminal escapes', '\x1b[31m\x9b\x7f', '\\x1b[31m\\u{9b}\\x7f'],
    ['characters that turn or part lines', '\u202ea\u2028b\u200bc', '\\u{202e}a\\u{2028}b\\u{200b}c'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x5c, 0x0a, 0x00]), 'a\\xff\\\\\\n\\x00'],
  ])('shows %s', (_case, body, visible) => {
    expect(visibleBody(body)).toBe(visible);
  });

  it.each([
    [
      'a password',
      '{"config":{"user":"u","password":"pw-1","ssl":true}}',
      '{"config":{"user":"u","password":"***","ssl":true}}',
    ],
    ['quotes in it', '{"password" : "pw\\"-1","a":1}', '{"password" : "***","a":1}'],
    ['other names', '{"API_TOKEN":"pw-1","clientSecret":"pw-1"}', '{"API_TOKEN":"***","clientSecret":"***"}'],
    ['a number', '{"password":1234,"a":1}', '{"password":"***","a":1}'],
    ['a list, with all that follows', '{"passwords":["pw-1",{"a":["pw-1"]}],"a":1}', '{"passwords":"***"'],
    ['a body that is cut short', '{"password":"pw-1', '{"password":"***"'],
    ['a form', 'a=1&password=pw-1&b=2', 'a=1&password=***&b=2'],
    ['a URL', '{"url":"postgres://u:pw-1@db/app"}', '{"url":"postgres://u:***@db/app"}'],
  ])('masks %s', (_case, body, visible) => {
    expect(visibleBody(body)).toBe(visible);
  });

  it('masks the query', () => {
    expect(visibleCanonical({ ...get, target: '/a?token=pw-1&b=2' })).toContain('/a?token=***&b=2\\n');
  });

  it('counts what it does not show, and cuts between characters', () => {
    for (const first of ['', 'a']) {
      expect(visibleBody(`${first}${'é'.repeat(4000)}`)).toMatch(/^a?é+… \(\d+ more bytes\)$/);
    }
    expect(visibleBody('x'.repeat(100_000)).length).toBeLessThan(5000);
  });

  it('masks a password that lies across the cut', () => {
    expect(visibleBody(`{"a":"${'x'.repeat(3990)}","password":"${'pw-1'.repeat(100)}"}`)).not.toContain(
      'pw-1',
    );
  });

  it('is one line of printable characters, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (target, body) => {
        const request = { ...get, target, body };
        expect(visibleCanonical(request)).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);
      }),
    );
  });
});

describe('explainMismatch', () => {
  const signature = createHmac('sha256', secret).update('GET\n/connections\n1700000000\n\n').digest('hex');

  it('names the mistake', () => {
    expect(explainMismatch({ secret, request: get, signature })).toEqual({
      reason: 'the signature was made over the path without its query',
      mistake: { id: 'query-missing', description: 'over the path without its query' },
      canonical: 'GET\\n/connections?limit=2\\n1700000000\\n\\n',
    });
  });

  it('says what is left when it knows none', () => {
    const { reason, mistake } = explainMismatch({ secret, request: get, signature: 'ab'.repeat(32) });
    expect(mistake).toBeUndefined();
    expect(reason).toBe('the signature was made with another secret, or over something else than was sent');
  });

  it.each([
    ['in the query', { ...get, target: `/a?key=${secret}` }],
    ['in the body', post(`{"key":"${secret}"}`)],
    ['across the cut', post(`${'x'.repeat(4030)}${secret}`)],
    ['among bytes that are not UTF-8', post(Buffer.concat([Buffer.from([0xff]), Buffer.from(secret)]))],
  ])('tells neither the secret nor a valid signature: %s', (_case, request) => {
    const text = JSON.stringify(explainMismatch({ secret, request, signature: 'ab'.repeat(32) }));
    expect(text).not.toContain(secret.slice(0, 12));
    expect(text).not.toContain(hmacSignature(secret, canonicalString(request)));
  });
});
