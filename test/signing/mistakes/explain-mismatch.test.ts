import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalString,
  explainMismatch,
  hmacSignature,
  type SignableRequest,
  visibleCanonical,
} from '../../../src/signing/index.js';
import { signedRight } from '../../../src/signing/mistakes/signed.js';
import { visibleSigned } from '../../../src/signing/mistakes/visible-canonical.js';

const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text);

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
    ['line ends and tabs between its fields', '{\r\n\t"name": 1\n}\n', '{\\r\\n\\t"name": 1\\n}\\n'],
    ['a backslash', '{"name":"a\\nb"}', '{"name":"a\\\\nb"}'],
    ['terminal escapes', '{"name":"\x9b\x7f"}', '{"name":"\\u{9b}\\x7f"}'],
    ['characters that turn or part lines', '{"name":"\u202ea\u2028b"}', '{"name":"\\u{202e}a\\u{2028}b"}'],
    ['numbers as they are written', '{"port":5432.10e0}', '{"port":5432.10e0}'],
  ])('shows of JSON %s', (_case, body, visible) => {
    expect(visibleBody(body)).toBe(visible);
  });

  it.each([
    ['text', 'password: pw-1'],
    ['a form', 'a=1&password=pw-1&b=2'],
    ['JSON that is cut short', '{"password":"pw-1'],
    ['a byte order mark', '\ufeff{"name":"a"}'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x5c, 0x0a, 0x00])],
    ['JSON over 16 KiB', JSON.stringify({ name: 'x '.repeat(8200) })],
  ])('shows of %s its length and the beginning of its hash', (_case, body) => {
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 4);
    expect(visibleBody(body)).toBe(`(${Buffer.from(body).length} bytes, sha256 ${hash}…)`);
  });

  it.each([
    [
      'a password',
      '{"config":{"password":"pw-1","ssl":true}}',
      '{"config":{"password":"********","ssl":true}}',
    ],
    ['quotes in it', '{"password" : "pw\\"-1","page":1}', '{"password" : "********","page":1}'],
    ['an escaped name', '{"p\\u0061ssword":"pw-1"}', '{"p\\\\u0061ssword":"********"}'],
    ['a list under a harmless name', '{"name":["pw-1"]}', '{"name":"********"}'],
    ['a URL', '{"host":"postgres://u:pw-1@db/app"}', '{"host":"postgres://********@db/app"}'],
  ])('masks %s', (_case, body, visible) => {
    expect(visibleBody(body)).toBe(visible);
  });

  it.each([
    ['/a?token=pw-1&limit=2', '/a?token=********&limit=2'],
    ['/a#pw-1', '/a#********'],
    ['http://u:pw-1@h/a', 'http://********@h/a'],
  ])('masks in a target %s', (target, shown) => {
    expect(visibleCanonical({ ...get, target })).toBe(`GET\\n${shown}\\n1700000000\\n\\n`);
  });

  it('is all of it up to 4,096 characters, and ends between characters', () => {
    const rest = 'GET\\n\\n1700000000\\n\\n'.length;
    const target = (length: number) => '/a'.repeat(length).slice(0, length - rest);
    const shown = (length: number) => visibleCanonical({ ...get, target: target(length) });
    expect(shown(4096)).toBe(`GET\\n${target(4096)}\\n1700000000\\n\\n`);
    expect(shown(4097)).toBe(`GET\\n${target(4097)}\\n1700000000\\n\\… (1 more characters)`);
    for (const first of ['', 'a']) {
      const cut = visibleBody(JSON.stringify({ name: first + '🚀'.repeat(3000) })).split('…')[0];
      expect(cut).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('has the secret nowhere, not even as a part of a word', () => {
    expect(visibleCanonical(post('{"name":"a"}'), 'eam')).toMatch(/^POST\\n\/t\*{8}s\\n/);
  });

  it('has no line for a content type that was not signed', () => {
    const right = signedRight(secret, post('{"name":"a"}'));
    const lines = right.lines.filter((line) => line !== 'contentType');
    expect(visibleSigned({ ...right, lines }, secret)).toBe('POST\\n/teams\\n1700000000\\n{"name":"a"}');
  });

  it.each([
    ['/\u0080\u007f\t\u2028', String.raw`/\u{80}\x7f\t\u{2028}`],
    [Buffer.from([0x2f, 0xff, 0x01, 0x0a, 0x5c, 0x61]), String.raw`/\xff\x01\n\\a`],
  ])('has names for what does not print, and for bytes that are no text: %#', (target, shown) => {
    expect(visibleCanonical({ ...get, target })).toBe(`GET\\n${shown}\\n1700000000\\n\\n`);
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
  const signature = hmac('GET\n/connections\n1700000000\n\n').digest('hex');

  it('names the mistake', () => {
    expect(explainMismatch({ secret, request: get, signature })).toEqual({
      reason: 'the query string was not signed',
      mistake: {
        id: 'query-missing',
        description: 'without the query string',
        advice: 'sign the path plus ?query, exactly as sent',
      },
      canonical: 'GET\\n/connections?limit=2\\n1700000000\\n\\n',
      signed: 'GET\\n/connections\\n1700000000\\n\\n',
      difference: { byte: 16, part: 'target' },
      corrections: [{ part: 'target', from: '/connections', to: '/connections?limit=2' }],
    });
  });

  const body = '{"name": "a", "password": "pw-1"}';
  const sent = { ...post(body), contentType: 'application/json' };
  const before = 'POST\n/teams\n1700000000\n';

  it.each([
    ['method', 'post\n/teams\n1700000000\napplication/json\n', 0],
    ['timestamp', 'POST\n/teams\n1700000000000\napplication/json\n', before.length - 1],
    ['content type', `${before}\n`, before.length],
    ['content type', `${before}application/json; charset=utf-8\n`, before.length + 'application/json'.length],
  ])('says where what was signed differs: in the %s', (part, start, byte) => {
    const signature = hmac(`${start}${body}`).digest('hex');
    const { signed, difference } = explainMismatch({ secret, request: sent, signature });
    expect(difference).toEqual({ byte, part });
    expect(signed).toBe(`${start.replaceAll('\n', '\\n')}{"name": "a", "password": "********"}`);
  });

  it.each([
    ['body', JSON.stringify(JSON.parse(body)), body.indexOf(' ')],
    ['end', `${body}\n`, body.length],
  ])('says where what was signed differs: in the %s, and masks it there', (part, written, byte) => {
    const head = `${before}application/json\n`;
    const signature = hmac(`${head}${written}`).digest('hex');
    const { signed, difference } = explainMismatch({ secret, request: sent, signature });
    expect(difference).toEqual({ byte: head.length + byte, part });
    expect(signed).not.toContain('pw-1');
  });

  it('shows other line ends, and lines that were lost', () => {
    const crlf = hmac('GET\r\n/connections?limit=2\r\n1700000000\r\n\r\n').digest('hex');
    const { signed, difference } = explainMismatch({ secret, request: get, signature: crlf });
    expect(signed).toBe('GET\\r\\n/connections?limit=2\\r\\n1700000000\\r\\n\\r\\n');
    expect(difference).toEqual({ byte: 3, part: 'method' });
    const short = 'GET\n/connections?limit=2\n1700000000';
    const lost = explainMismatch({ secret, request: get, signature: hmac(short).digest('hex') });
    expect(lost.signed).toBe('GET\\n/connections?limit=2\\n1700000000');
    expect(lost.difference).toEqual({ byte: short.length, part: 'timestamp' });
  });

  it('shows no other string where the right one was signed in another way', () => {
    const signature = hmac('GET\n/connections?limit=2\n1700000000\n\n', `${secret}\n`).digest('hex');
    expect(explainMismatch({ secret, request: get, signature })).not.toHaveProperty('signed');
  });

  it('names both of two mistakes, and what to do about each', () => {
    const signature = hmac('GET\n/connections\n1700000000\n\n').digest('base64');
    expect(explainMismatch({ secret, request: get, signature })).toMatchObject({
      reason: 'the query string was not signed, and the signature is in base64 instead of hexadecimal',
      mistake: {
        id: 'query-missing+base64',
        advice: 'sign the path plus ?query, exactly as sent; write the HMAC in lower-case hexadecimal',
      },
    });
  });

  it('names both where neither body nor content type was signed', () => {
    const signature = hmac('POST\n/teams\n1700000000\n\n').digest('hex');
    expect(explainMismatch({ secret, request: post('{}'), signature })).toMatchObject({
      reason: 'the signature was made without the body and its content type',
      mistake: { advice: expect.stringMatching(/Content-Type.*body/) },
      corrections: [{ part: 'content type', from: '', to: 'text/plain' }, { part: 'body' }],
    });
  });

  it.each([
    ['milliseconds', get.target, '1700000000', '1700000000987', false],
    ['milliseconds', get.target, '1700000000987', '1700000000987', true],
    ['query-missing', '/connections', '1700000000', '1700000000', true],
  ])(
    'tries all pairs only where it may take its time: a newline and %s',
    (id, target, sent, signed, quick) => {
      const signature = hmac(`GET\n${target}\n${signed}\n\n`, `${secret}\n`).digest('hex');
      const mismatch = { secret, request: { ...get, timestamp: sent }, signature };
      const ids = [undefined, true, false].map((hasTime) => explainMismatch(mismatch, hasTime).mistake?.id);
      const both = `secret-newline+${id}`;
      expect(ids).toEqual([both, both, quick ? both : undefined]);
    },
  );

  it.each([
    ['00', '2 characters instead of 64'],
    [`${'ab'.repeat(32)}zz`, '66 characters instead of 64'],
    [`zz${'ab'.repeat(32)}`, '66 characters instead of 64'],
    ['z'.repeat(64), 'it has characters other than 0-9 and a-f'],
  ])('tells by its shape that this is no signature: %s', (signature, why) => {
    expect(explainMismatch({ secret, request: get, signature })).toEqual({
      reason: `not a valid signature: ${why}`,
      mistake: expect.objectContaining({ id: 'malformed' }),
      canonical: 'GET\\n/connections?limit=2\\n1700000000\\n\\n',
    });
  });

  it('says what is left when it knows none', () => {
    const { reason, mistake } = explainMismatch({ secret, request: get, signature: 'ab'.repeat(32) });
    expect(mistake).toBeUndefined();
    expect(reason).toBe('wrong secret, or the request differs from what was signed');
  });

  it.each([
    ['in the query', { ...get, target: `/a?key=${secret}` }],
    ['in the body', post(`{"key":"${secret}"}`)],
    ['across the cut', post(JSON.stringify({ name: `${'x '.repeat(2015)}${secret}` }))],
    ['among bytes that are not UTF-8', post(Buffer.concat([Buffer.from([0xff]), Buffer.from(secret)]))],
  ])('tells neither the secret nor a valid signature: %s', (_case, request) => {
    const text = JSON.stringify(explainMismatch({ secret, request, signature: 'ab'.repeat(32) }));
    expect(text).not.toContain(secret.slice(0, 12));
    expect(text).not.toContain(hmacSignature(secret, canonicalString(request)));
  });
});
