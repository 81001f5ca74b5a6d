import { createHash, createHmac } from 'node:crypto';
import type { ExplainableRequest } from '../../../src/signing/index.js';

// Everything here is signed with node:crypto directly, the way a client with the mistake would do it.
export const secret = 'a1'.repeat(32);
export const timestamp = '1700000000';
export const json = 'application/json';

export const get: ExplainableRequest = {
  method: 'GET',
  target: '/connections?limit=2',
  timestamp,
  contentType: '',
  body: Buffer.alloc(0),
  origin: 'https://api.example.com',
  keyId: 'key_a',
};

export function post(body: string, contentType = json): ExplainableRequest {
  return { ...get, method: 'POST', target: '/teams', contentType, body: Buffer.from(body) };
}

export function hmac(text: string | Buffer, key: string | Buffer = secret, algorithm = 'sha256') {
  return createHmac(algorithm, key).update(text);
}

export const hex = (...parts: Parameters<typeof hmac>) => hmac(...parts).digest('hex');
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

export const getText = `GET\n/connections?limit=2\n${timestamp}\n\n`;
function postText(body: string, contentType = json): string {
  return `POST\n/teams\n${timestamp}\n${contentType}\n${body}`;
}

type Case = readonly [id: string, situation: string, request: ExplainableRequest, signature: string];

const team = '{"name":"ops/é","size":2}';

type SignedOtherwise = readonly [id: string, sent: string, signed: string];

/** Bodies of a POST: what is sent, and what is signed in its place. */
const bodies: readonly SignedOtherwise[] = [
  ['body-missing', '{}', ''],
  ['trailing-newline', '{"name":"a"}', '{"name":"a"}\r\n'],
  ['body-compact', '{ "name": "a" }', '{"name":"a"}'],
  ['body-pretty', '{"name":"a"}', '{\n  "name": "a"\n}'],
  ['crlf', '{\n}', '{\r\n}'],
  ['keys-reordered', '{"z":1,"a":{"c":1,"b":2}}', '{"a":{"b":2,"c":1},"z":1}'],
  ['keys-reordered', '{"z":[-0, {"b":2.0,"a":1E5}],"a":null}', '{"a":null,"z":[-0,{"a":1E5,"b":2.0}]}'],
  ['body-pretty', '[12345678901234567890, 1E5]', '[12345678901234567000, 100000]'],
  ['body-hashed', '{}', sha256('{}')],
  ['json-escapes', '{"name":"é\u{1f511}"}', '{"name":"\\u00e9\\ud83d\\udd11"}'],
  ['json-escapes', '{"name":"\\u00e9\\ud83d\\udd11"}', '{"name":"é\u{1f511}"}'],
  ['json-escapes', '{"a":"<b>"}', '{"a":"\\u003cb\\u003e"}'],
  ['unicode-form', '{"a":"\u00e9"}', '{"a":"e\u0301"}'],
];

/** Targets of a GET: what is sent, and what is signed in its place. */
const targets: readonly SignedOtherwise[] = [
  ['query-missing', '/teams?', '/teams'],
  ['query-sorted', '/teams?page=2&limit=5', '/teams?limit=5&page=2'],
  ['trailing-slash', '/teams', '/teams/'],
  ['percent-encoding', '/teams?name=a%20b', '/teams?name=a+b'],
  ['query-decoded', '/teams?name=%C3%A9', '/teams?name=é'],
  ['base-path-missing', '/api/v1/quotas?a=/b', '/quotas?a=/b'],
  ['query-decoded', '/%C3%B6?name=%26+', '/%C3%B6?name=&+'],
  ['question-mark', '/teams', '/teams?'],
  ['question-mark', '/teams?a&b=1', '/teams?a=&b=1'],
  ['parameters-joined', '/teams?id=1&id=2&a=3', '/teams?id=1,2&a=3'],
  ['prefix-stripped', '/teams?page=2', '/api/v1/teams?page=2'],
  ['percent-encoding', '/teams?name=a+b', '/teams?name=a%2Bb'],
];

const inMilliseconds = { ...get, timestamp: `${timestamp}987` };

/** Texts that are signed in place of that of another request. */
const texts: readonly (readonly [id: string, request: ExplainableRequest, text: string])[] = [
  ['full-url', get, getText.replace('/', `${get.origin}/`)],
  ['lower-case-method', get, getText.replace('GET', 'get')],
  ['literal-newline', get, getText.replaceAll('\n', '\\n')],
  ['no-separator', post(team), `POST/teams${timestamp}${json}${team}`],
  ['trailing-lines-lost', get, getText.trimEnd()],
  ['crlf', get, getText.replaceAll('\n', '\r\n')],
  ['content-type-line-missing', post(team), `POST\n/teams\n${timestamp}\n${team}`],
  ['timestamp-taken-twice', get, getText.replace(timestamp, String(Number(timestamp) - 1))],
  ['content-type-missing', post(team), postText(team, '')],
  ['charset', post(team, `${json}; charset=UTF-8`), postText(team)],
  ['content-type-without-body', { ...get, contentType: 'a/b' }, getText.replace(/\n$/, 'a/b\n')],
  ['body-missing+content-type-missing', post('{}'), postText('', '')],
  ['milliseconds', inMilliseconds, getText.replace(timestamp, `${timestamp}987`)],
  ['milliseconds-sent', inMilliseconds, getText],
  ['milliseconds', get, getText.replace(timestamp, `${timestamp}999`)],
  ['query-missing+trailing-lines-lost', get, `GET\n/connections\n${timestamp}`],
  ['lower-case-method+query-missing', get, `get\n/connections\n${timestamp}\n\n`],
  ['trailing-newline+crlf', post('{}'), postText('{}\n').replaceAll('\n', '\r\n')],
  ['timestamp-format', get, getText.replace(timestamp, '2023-11-14T22:13:20Z')],
  ['timestamp-format', get, getText.replace(timestamp, `${timestamp}.120`)],
];

/** What is known of keys, digests and spellings, and of two mistakes at once. */
const spelled: readonly Case[] = [
  ['secret-newline', 'LF', get, hex(getText, `${secret}\n`)],
  ['secret-unset', 'of bash', get, hex(getText, '')],
  ['secret-unset', 'in single quotes', get, hex(getText, '$ORGCTL_SECRET')],
  ...[`\${ORGCTL_SECRET}`, '{{ SECRET }}', '%ORGCTL_SECRET%', '$env:ORGCTL_SECRET', '********'].map(
    (unexpanded): Case => ['secret-unset', unexpanded, get, hex(getText, unexpanded)],
  ),
  ['secret-quoted', 'as docker --env-file does', get, hex(getText, `"${secret}"`)],
  ['key-id-as-secret', 'a GET', get, hex(getText, 'key_a')],
  ['secret-hex', 'as of Go', get, hex(getText, Buffer.from(secret, 'hex'))],
  ['secret-base64', 'as of C#', get, hex(getText, Buffer.from(secret, 'base64'))],
  ['no-key', 'openssl dgst without -hmac', get, sha256(getText)],
  ['no-key', 'the secret first', get, sha256(secret + getText)],
  ['key-and-message-swapped', 'as of PHP', get, hex(secret, getText)],
  ['sha1', 'a GET', get, hex(getText, secret, 'sha1')],
  ['upper-case-hex', 'as of C#', get, hex(getText).toUpperCase()],
  ['base64', 'of the usual alphabet', get, hmac(getText).digest('base64')],
  ['text-around', 'what openssl dgst prints', get, `SHA2-256(stdin)= ${hex(getText)}`],
  ['sha512', 'a GET', get, hex(getText, secret, 'sha512')],
  [
    'secret-newline+trailing-newline',
    'two at once',
    post('{"name":"a"}'),
    hex(postText('{"name":"a"}\n'), `${secret}\n`),
  ],
  ['key-id-as-secret+body-missing', 'two at once', post('{}'), hex(postText(''), 'key_a')],
  ['secret-hex+base64', 'two at once', get, hmac(getText, Buffer.from(secret, 'hex')).digest('base64')],
];

/** Of every mistake, as people make it who write their client by hand. */
export const cases: readonly Case[] = [
  ...bodies.map(([id, sent, signed]): Case => [id, `${sent}, ${signed}`, post(sent), hex(postText(signed))]),
  ...targets.map(([id, target, signed]): Case => {
    const signature = hex(`GET\n${signed}\n${timestamp}\n\n`);
    return [id, `${target}, ${signed}`, { ...get, target }, signature];
  }),
  ...texts.map(([id, request, text]): Case => [id, JSON.stringify(text), request, hex(text)]),
  ...spelled,
];
