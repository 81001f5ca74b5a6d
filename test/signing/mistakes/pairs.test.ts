import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ExplainableRequest, findMistake } from '../../../src/signing/index.js';

/** A client of this test's own: the steps of the reference (section 5, mode B), each of which can be done wrong. */
interface Client {
  readonly read: (secret: string, keyId: string) => string;
  readonly secret: (secret: string) => string | Buffer;
  readonly method: (method: string) => string;
  readonly query: (target: string) => string;
  readonly decode: (target: string) => string;
  readonly path: (target: string) => string;
  readonly url: (target: string) => string;
  readonly timestamp: (seconds: string) => string;
  readonly contentType: (sent: string) => string;
  readonly body: (body: string) => string;
  readonly bodyEnd: (body: string) => string;
  readonly hash: (body: string) => string;
  readonly lines: (lines: readonly string[]) => readonly string[];
  readonly text: (text: string) => string;
  readonly algorithm: () => string;
  readonly spell: (hmac: Buffer) => string;
}

const same = <Value>(value: Value): Value => value;
const right: Client = {
  read: same,
  secret: same,
  method: same,
  query: same,
  decode: same,
  path: same,
  url: same,
  timestamp: same,
  contentType: same,
  body: same,
  bodyEnd: same,
  hash: same,
  lines: same,
  text: same,
  algorithm: () => 'sha256',
  spell: (hmac) => hmac.toString('hex'),
};

const secret = 'a1'.repeat(32);
const origin = 'https://api.example.com';
const json = 'application/json';

function sign(client: Client, request: ExplainableRequest): string {
  const body = String(Buffer.from(request.body));
  const signedBody = client.hash(client.bodyEnd(client.body(body)));
  const lines = client.lines([
    client.method(request.method),
    client.url(client.path(client.decode(client.query(String(request.target))))),
    client.timestamp(request.timestamp),
    client.contentType(body === '' ? '' : request.contentType),
    signedBody,
  ]);
  const key = client.secret(client.read(secret, 'key_a'));
  return client.spell(
    createHmac(client.algorithm(), key)
      .update(client.text(lines.join('\n')))
      .digest(),
  );
}

const sorted = (text: string) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(Object(JSON.parse(text))).sort(([a], [b]) => (a < b ? -1 : 1))),
  );

/** As Python's json.dumps writes it. */
const spaced = (text: string) => text.replaceAll(':', ': ').replaceAll(',', ', ');

type Mistakes = Readonly<Record<string, Partial<Client>>>;

/** Each mistake as a step of the client. */
const withBody: Mistakes = {
  'secret-newline': { secret: (text) => `${text}\n` },
  'key-id-as-secret': { read: (_secret, keyId) => keyId },
  'secret-hex': { secret: (text) => Buffer.from(text, 'hex') },
  'secret-base64': { secret: (text) => Buffer.from(text, 'base64') },
  'lower-case-method': { method: (method) => method.toLowerCase() },
  'query-missing': { query: (target) => target.replace(/\?.*/, '') },
  'query-decoded': { decode: (target) => decodeURIComponent(target) },
  'base-path-missing': { path: (target) => target.replace('/v1', '') },
  'full-url': { url: (target) => `${origin}${target}` },
  'body-missing': { body: () => '' },
  'body-pretty': { body: (text) => spaced(text) },
  'keys-reordered': { body: sorted },
  'trailing-newline': { bodyEnd: (text) => `${text}\n` },
  crlf: { text: (text) => text.replaceAll('\n', '\r\n') },
  'body-hashed': { hash: (text) => createHash('sha256').update(text).digest('hex') },
  'content-type-missing': { contentType: () => '' },
  'content-type-line-missing': { lines: (lines) => lines.filter((_line, at) => at !== 3) },
  charset: { contentType: (sent) => (sent === '' ? '' : `${sent}; charset=utf-8`) },
  sha1: { algorithm: () => 'sha1' },
  sha512: { algorithm: () => 'sha512' },
  milliseconds: { timestamp: (seconds) => `${seconds}042` },
  'upper-case-hex': { spell: (hmac) => hmac.toString('hex').toUpperCase() },
  base64: { spell: (hmac) => hmac.toString('base64') },
};
const aboutBody = ['body-pretty', 'keys-reordered', 'body-missing', 'charset', 'content-type-missing'];
const withoutBody: Mistakes = {
  ...Object.fromEntries(Object.entries(withBody).filter(([id]) => !aboutBody.includes(id))),
  'content-type-without-body': { contentType: () => json },
  'trailing-lines-lost': { text: (text) => text.replace(/\n+$/, '') },
};
delete Object(withoutBody)['content-type-line-missing'];

const post: ExplainableRequest = {
  method: 'POST',
  target: '/v1/teams/%7Eops?name=%C3%B6',
  timestamp: '1700000000',
  contentType: json,
  body: Buffer.from('{"name":"a","id":{"x":[1]}}'),
  origin,
  keyId: 'key_a',
};
const get: ExplainableRequest = { ...post, method: 'GET', contentType: '', body: Buffer.alloc(0) };

/** Two mistakes that are one, or none: what is signed by whoever makes both is what is found. */
const alike: Readonly<Record<string, string>> = {
  'body-missing+content-type-missing': 'body-missing',
  'body-missing+content-type-line-missing': 'body-missing+trailing-lines-lost',
  'charset+content-type-line-missing': 'content-type-line-missing',
  'content-type-line-missing+content-type-missing': 'content-type-line-missing',
  'trailing-lines-lost+trailing-newline': 'trailing-lines-lost',
  'body-hashed+trailing-lines-lost': 'body-hashed',
  // The ID is no hexadecimal: nothing is left of it.
  'key-id-as-secret+secret-hex': 'secret-unset',
};

type Pair = readonly [one: string, other: string];

/** Pairs of mistakes in different steps. */
function pairs(mistakes: Mistakes): Pair[] {
  const all = Object.entries(mistakes);
  return all.flatMap(([one, steps], at) =>
    all
      .slice(at + 1)
      .filter(([, others]) => Object.keys(others).every((step) => !(step in steps)))
      .map(([other]): Pair => [one, other]),
  );
}

function clientWith(mistakes: Mistakes, ids: readonly string[]): Client {
  return Object.assign({ ...right }, ...ids.map((id) => mistakes[id]));
}

const situations = [
  ['with a body', withBody, post],
  ['without a body', withoutBody, get],
] as const;

const inOrder = (ids: readonly string[] = []) => [...ids].sort().join('+');

/** What is found of each pair: all of them where there is little time, but for those with milliseconds. */
function listTold(request: ExplainableRequest, mistakes: Mistakes, made: readonly Pair[]) {
  return made.map((pair) => {
    const signature = sign(clientWith(mistakes, pair), request);
    const told = findMistake({ secret, request, signature }, pair.includes('milliseconds'))?.id;
    return [inOrder(pair), inOrder(told?.split('+'))];
  });
}

describe('a client with any two mistakes is told both', () => {
  it.each(situations)('%s', (_situation, mistakes, request) => {
    const told = listTold(request, mistakes, pairs(mistakes));
    expect(told).toEqual(told.map(([pair = '']) => [pair, alike[pair] ?? pair]));
    expect(told.length).toBeGreaterThan(90);
  });

  it('with a body written by hand', () => {
    const request = { ...post, body: Buffer.from('{ "name": "a" }') };
    const again = { 'body-compact': { body: (text: string) => JSON.stringify(JSON.parse(text)) } };
    const mistakes = { ...again, ...withBody };
    const made = pairs(mistakes).filter(([first]) => first === 'body-compact');
    const told = listTold(request, mistakes, made);
    expect(told).toEqual(told.map(([pair]) => [pair, pair]));
    expect(told.length).toBeGreaterThan(15);
  });
});
