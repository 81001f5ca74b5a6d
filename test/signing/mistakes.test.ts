import { describe, expect, it } from 'vitest';
import {
  canonicalString,
  type ExplainableRequest,
  explainMismatch,
  findMistake,
  hmacSignature,
  knownMistakes,
} from '../../src/signing/index.js';
import { quickMistakes } from '../../src/signing/mistakes/search.js';
import {
  cases,
  get,
  getText,
  hex,
  hmac,
  json,
  post,
  postText,
  secret,
  timestamp,
} from './mistakes/mistake-cases.js';

describe('mistakes of people who write their client by hand', () => {
  it.each(cases)('%s: %s', (id, _situation, request, signature) => {
    // One alone is to be known as a server explains it: with little time.
    const explained = explainMismatch({ secret, request, signature }, id.includes('+'));
    expect(explained.mistake?.id).toBe(id);
    // Milliseconds that were sent so are what was signed.
    if (request.timestamp === timestamp) expect(explained.corrections).not.toEqual([]);
    const text = JSON.stringify(explained);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hmacSignature(secret, canonicalString(request)));
  });

  it('are not claimed for a right signature, whatever the request', () => {
    for (const [, , request] of cases.filter(([, , { timestamp: sent }]) => sent === timestamp)) {
      const signature = hmacSignature(secret, canonicalString(request));
      expect(findMistake({ secret, request, signature })).toBeUndefined();
    }
  });

  const pairable = quickMistakes.filter(({ isAlone, id }) => !isAlone && id !== 'base-path-missing');

  it.each(pairable)('$id beside a base path of two segments', ({ id }) => {
    const made = cases.filter(([first]) => first === id).slice(0, 1);
    const found = made.map(([, , request, signature]) => {
      const sent = { ...request, target: `/api/v1${String(request.target)}` };
      return findMistake({ secret, request: sent, signature }, false)?.id.split('+').sort();
    });
    expect(found).toEqual([['base-path-missing', id].sort()]);
  });

  it('have one text each', () => {
    for (const text of ['id', 'description'] as const) {
      const texts = knownMistakes.map((mistake) => mistake[text]);
      expect(new Set(texts).size).toBe(texts.length);
    }
  });
});

describe('findMistake', () => {
  it('has a case here for each mistake it knows', () => {
    const made = new Set(cases.map(([id]) => id));
    // What is malformed is no signature of anything.
    const expected = knownMistakes.map(({ id }) => id).filter((id) => id !== 'malformed');
    expect(expected.filter((id) => !made.has(id))).toEqual([]);
  });

  const signedAs = (target: string) => hex(`GET\n${target}\n${timestamp}\n\n`);
  const fourKeys = hex(postText('{"b":1,"d":2,"a":3,"c":4}'));
  const withoutOrigin = { ...get, origin: undefined };

  it.each<[string, string, ExplainableRequest?]>([
    ['a signature that fits', hex(getText)],
    ['another secret', hex(getText, 'another')],
    ['another target', hex(getText.replace('limit', 'page'))],
    ['nothing', ''],
    ['no signature at all', 'none of your business'],
    ['half a signature', hex(getText).slice(0, 32)],
    ['an odd number of digits', hex(getText).slice(1)],
    ['a digit too many', `${hex(getText, `${secret}\n`)}0`],
    ['a quote before base64', `"${hmac(getText).digest('base64')}`],
    ['a quote after base64', `${hmac(getText).digest('base64')}"`],
    ['three mistakes', hmac(getText.replace('GET', 'get').replace('?limit=2', '')).digest('base64')],
    ['a full URL of no origin', signedAs(`${get.origin}${get.target}`), withoutOrigin],
    ['a path that is cut short', signedAs('/team'), { ...get, target: '/teams' }],
    ['the last letter', signedAs('s'), { ...get, target: '/v1/teams' }],
    ['the last of six segments', signedAs('/quotas'), { ...get, target: '/a/b/c/d/e/quotas' }],
    ['a part of the query', signedAs('/b'), { ...get, target: '/teams?a=/b' }],
    ['an object where a list was sent', hex(postText('{}')), post('[1]')],
    ['lost lines that end in a body', hex(`POST\n/teams\n${timestamp}\n${json}{}`), post('{}')],
    ['four keys in an order of none', fourKeys, post('{"a":3,"b":1,"c":4,"d":2}')],
  ])('finds none behind %s', (_case, signature, request = get) => {
    expect(findMistake({ secret, request, signature })).toBeUndefined();
  });

  it.each([
    ['hex', `!${secret}`],
    ['hex', `${secret}!`],
    ['hex', `${secret}a`],
    ['base64', `!${secret}`],
    ['base64', `${secret}!`],
  ] as const)('knows no secret decoded as %s that is not all of it: %s', (encoding, odd) => {
    // What Node's decoder makes of it is a part of it, or nothing.
    const signature = hex(getText, Buffer.from(odd, encoding));
    expect(findMistake({ secret: odd, request: get, signature })?.id).not.toBe(`secret-${encoding}`);
  });

  const aroundBody = `${secret}/teams${json}`.length;

  /** The most bytes of a body for which something is tried: `written` is sent, and signed as `sign` does. */
  const limits: readonly (readonly [string, number, (bytes: number) => string, (body: string) => string])[] =
    [
      [
        'two mistakes, where the request has 16 KiB',
        16_384 - aroundBody,
        (bytes) => 'x'.repeat(bytes),
        (body) => hex(`${postText(body)}\n`, `${secret}\n`),
      ],
      [
        'milliseconds, where the request has 4 KiB',
        4096 - aroundBody,
        (bytes) => 'x'.repeat(bytes),
        (body) => hex(postText(body).replace(timestamp, `${timestamp}001`)),
      ],
      [
        'JSON with spaces, where the body has 64 KiB',
        65_536,
        (bytes) => JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) }),
        (body) => hex(postText(body.replace(':', ': '))),
      ],
      [
        'keys in any order, where the body has 4 KiB',
        4096,
        (bytes) => JSON.stringify({ b: 1, a: 'x'.repeat(bytes - '{"b":1,"a":"","c":1}'.length), c: 1 }),
        (body) => hex(postText(body.replace('{"b":1,', '{').replace('}', ',"b":1}'))),
      ],
    ];

  it.each(limits)('knows %s, and not beyond', (_what, most, written, sign) => {
    const found = [most, most + 1].map((bytes) => {
      const body = written(bytes);
      expect(body).toHaveLength(bytes);
      return findMistake({ secret, request: post(body), signature: sign(body) });
    });
    expect(found).toEqual([expect.anything(), undefined]);
  });

  it.each([
    ['JSON nested too deep to be written', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['many line feeds', `${'\n'.repeat(50_000)}x`],
    ['many quotes', '"'.repeat(50_000)],
    ['much JSON', JSON.stringify(Array(20_000).fill('é'))],
  ])('copes with %s', (_case, body) => {
    expect(findMistake({ secret, request: post(body), signature: 'ab'.repeat(32) })).toBeUndefined();
  });
});
