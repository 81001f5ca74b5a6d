import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalString,
  type ExplainableRequest,
  explainMismatch,
  hmacSignature,
  knownMistakes,
  visibleCanonical,
} from '../../src/signing/index.js';
import { cases, get, getText, hex, hmac, json, post, secret, timestamp } from './support/mistake-cases.js';

describe('mistakes of people who write their client by hand', () => {
  it.each(cases)('%s: %s', (id, _situation, request, signature) => {
    // One alone is to be known as a server explains it: with little time.
    const explained = explainMismatch({ secret, request, signature }, id.includes('+'));
    expect(explained.mistake?.id).toBe(id);
    const text = JSON.stringify(explained);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hmacSignature(secret, canonicalString(request)));
  });

  it('are not claimed for a right signature, whatever the request', () => {
    for (const [, , request] of cases.filter(([, , { timestamp: sent }]) => sent === timestamp)) {
      const signature = hmacSignature(secret, canonicalString(request));
      expect(explainMismatch({ secret, request, signature }).mistake).toBeUndefined();
    }
  });

  it('have a case here each', () => {
    const made = new Set(cases.map(([id]) => id));
    // What is malformed is no signature of anything.
    const ids = knownMistakes.map(({ id }) => id).filter((id) => id !== 'malformed');
    expect(ids.filter((id) => !made.has(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeLessThanOrEqual(55);
  });
});

describe('explainMismatch', () => {
  const signedAs = (target: string) => hex(`GET\n${target}\n${timestamp}\n\n`);

  it.each<[string, string, ExplainableRequest?]>([
    ['another secret', hex(getText, 'another')],
    ['another target', hex(getText.replace('limit', 'page'))],
    ['three mistakes', hmac(getText.replace('GET', 'get').replace('?limit=2', '')).digest('base64')],
    ['a full URL of no origin', signedAs(`${get.origin}${get.target}`), { ...get, origin: undefined }],
    ['lost lines that end in a body', hex(`POST\n/teams\n${timestamp}\n${json}{}`), post('{}')],
  ])('finds no mistake behind %s', (_case, signature, request = get) => {
    expect(explainMismatch({ secret, request, signature }).mistake?.id ?? 'malformed').toBe('malformed');
  });

  it.each([
    ['JSON nested too deep to be written', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['much JSON', JSON.stringify(Array(20_000).fill('é'))],
  ])('copes with %s', (_case, body) => {
    const explained = explainMismatch({ secret, request: post(body), signature: 'ab'.repeat(32) });
    expect(explained.mistake).toBeUndefined();
  });

  const body = '{"name": "a", "password": "pw-1"}';
  const start = `POST\n/teams\n${timestamp}\n${json}\n`;

  it.each([
    ['method', `${start.replace('POST', 'post')}${body}`, 0],
    ['timestamp', `${start.replace(timestamp, `${timestamp}000`)}${body}`, start.indexOf(json) - 1],
    ['content type', `${start.replace(json, '')}${body}`, start.indexOf(json)],
    ['body', `${start}${JSON.stringify(JSON.parse(body))}`, start.length + body.indexOf(' ')],
    ['end', `${start}${body}\n`, start.length + body.length],
  ])('says where what was signed differs, and masks it: %s', (part, text, byte) => {
    const explained = explainMismatch({ secret, request: post(body), signature: hex(text) });
    expect(explained.difference).toEqual({ byte, part });
    expect(explained.signed).not.toContain('pw-1');
    expect(explained.canonical).toBe(`${start.replaceAll('\n', '\\n')}{"name": "a", "password": "********"}`);
  });

  it.each(['00', 'z'.repeat(64)])('tells by its shape that this is no signature: %s', (signature) => {
    const { reason, mistake } = explainMismatch({ secret, request: get, signature });
    expect([reason, mistake?.id]).toEqual([`the signature is ${mistake?.description}`, 'malformed']);
  });
});

describe('visibleCanonical', () => {
  it.each([
    ['in the query', { ...get, target: `/a?key=${secret}` }],
    ['in the body', post(`{"key":"${secret}"}`)],
    ['across the cut', post(JSON.stringify({ name: `${'x '.repeat(2015)}${secret}` }))],
    ['among bytes that are not UTF-8', { ...post(''), body: Buffer.from(`\xff${secret}`, 'latin1') }],
    ['in text', post(`password: ${secret}`)],
  ])('does not show the secret: %s', (_case, request) => {
    expect(visibleCanonical(request, secret)).not.toContain(secret.slice(0, 12));
  });

  it.each([
    ['/a?token=pw-1&limit=2', '/a?token=********&limit=2'],
    ['http://u:pw-1@h/a', 'http://********@h/a'],
    ['/\u0080\u007f\t\u2028', String.raw`/\u{80}\x7f\t\u{2028}`],
    [Buffer.from([0x2f, 0xff, 0x01, 0x0a, 0x5c, 0x61]), String.raw`/\xff\x01\n\\a`],
  ])('masks and escapes in a target: %#', (target, shown) => {
    expect(visibleCanonical({ ...get, target })).toBe(`GET\\n${shown}\\n1700000000\\n\\n`);
  });

  it('is one line of at most 4,096 printable characters and their number, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array({ maxLength: 6000 }), (target, sent) => {
        const shown = visibleCanonical({ ...get, target, body: sent });
        expect(shown).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]{0,4140}$/u);
      }),
    );
  });
});
