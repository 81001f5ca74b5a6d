import { createHash, createHmac } from 'node:crypto';
import type { ExplainableRequest } from '../../src/signing/index.js';

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
export function postText(body: string, contentType = json): string {
  return `POST\n/teams\n${timestamp}\n${contentType}\n${body}`;
}

type Case = readonly [id: string, situation: string, request: ExplainableRequest, signature: string];

const large = 'x'.repeat(5000);
const team = '{"name":"ops/é","size":2}';

type SignedOtherwise = readonly [id: string, sent: string, signed: string];

/** Bodies of a POST: what is sent, and what is signed in its place. */
const bodies: readonly SignedOtherwise[] = [
  ['body-missing', '{}', ''],
  ['body-pretty', '{"name":"ops","size":2}', '{"name": "ops", "size": 2}'],
  ['trailing-newline', '{"name":"a"}', '{"name":"a"}\r\n'],
  ['trailing-newline', '{"name":"a"}\r\n', '{"name":"a"}'],
  ['trailing-newline', '{"name":"a"}\n\n\n', '{"name":"a"}'],
  ['body-compact', '{ "name": "a" }', '{"name":"a"}'],
  ['body-compact', '{"name": "é"}', '{"name":"\\u00e9"}'],
  ['body-compact', '{ "a": 1 }\n', '{"a":1}\n'],
  ['body-compact', '{"a": 2.0, "b": 12345678901234567890}', '{"a":2.0,"b":12345678901234567890}'],
  ['body-pretty', '{"name":"a"}', '{\n  "name": "a"\n}'],
  ['body-pretty', '{"name":"a"}', '{\n    "name": "a"\n}'],
  ['body-pretty', '{"name":"a"}', '{\n\t"name": "a"\n}'],
  ['crlf', '{\n}', '{\r\n}'],
  ['crlf', '{\r\n}', '{\n}'],
  ['keys-reordered', '{"z":1,"a":{"c":1,"b":2}}', '{"a":{"b":2,"c":1},"z":1}'],
  ['keys-reordered', '{"z":[-0, {"b":2.0,"a":1E5}],"a":null}', '{"a":null,"z":[-0,{"a":1E5,"b":2.0}]}'],
  ['keys-reordered', '{"b":2.0,"a":1}', '{"a":1,"b":2}'],
  ['body-compact', '{"a":2.0}', '{"a":2}'],
  ['body-pretty', '[12345678901234567890, 1E5]', '[12345678901234567000, 100000]'],
  ['body-hashed', '{}', sha256('{}')],
  ['json-escapes', '{"a":"b/c"}', '{"a":"b\\/c"}'],
  ['json-escapes', '{"name":"é\u{1f511}"}', '{"name":"\\u00e9\\ud83d\\udd11"}'],
  ['json-escapes', '{"name":"\\u00e9\\ud83d\\udd11"}', '{"name":"é\u{1f511}"}'],
  ['json-escapes', '{\n  "name": "\\u00e9"\n}', '{\n  "name": "é"\n}'],
  ['json-escapes', '{"a":"<b>"}', '{"a":"\\u003cb\\u003e"}'],
  ['json-escapes', '{"a":"<b>"}', '{"a":"\\u003Cb\\u003E"}'],
  ['unicode-form', '{"a":"\u00e9"}', '{"a":"e\u0301"}'],
  ['unicode-form', '{"a":"e\u0301"}', '{"a":"\u00e9"}'],
  ['crlf', '{\n}', '{\r}'],
];

/** Targets of a GET: what is sent, and what is signed in its place. */
const targets: readonly SignedOtherwise[] = [
  ['query-missing', '/teams?', '/teams'],
  ['query-missing', '/connections?limit=2', '/connections'],
  ['base-path-missing', '/v1/quotas', '/quotas'],
  ['query-sorted', '/teams?page=2&limit=5', '/teams?limit=5&page=2'],
  ['trailing-slash', '/teams', '/teams/'],
  ['percent-encoding', '/teams?name=a%20b', '/teams?name=a+b'],
  ['percent-encoding', '/teams?name=a+b', '/teams?name=a%20b'],
  ['query-decoded', '/teams?name=%C3%A9', '/teams?name=é'],
  ['base-path-missing', '/api/v1/quotas?a=/b', '/quotas?a=/b'],
  ['base-path-missing', '/a/b/c/d/quotas', '/quotas'],
  ['query-decoded', '/%C3%B6?name=%26+', '/\u00f6?name=& '],
  ['query-decoded', '/%C3%B6?name=%26+', '/%C3%B6?name=& '],
  ['query-decoded', '/%C3%B6?name=%26+', '/\u00f6?name=&+'],
  ['query-decoded', '/%C3%B6?name=%26+', '/%C3%B6?name=&+'],
  ['percent-encoding', '/teams?name=%c3%a9', '/teams?name=%C3%A9'],
  ['percent-encoding', '/teams?name=%C3%A9', '/teams?name=%25C3%25A9'],
  ['trailing-slash', '/teams/?page=1', '/teams?page=1'],
  ['question-mark', '/teams', '/teams?'],
  ['question-mark', '/teams?a&b=1', '/teams?a=&b=1'],
  ['question-mark', '/teams?a=&b=1', '/teams?a&b=1'],
  ['parameters-joined', '/teams?id=1&id=2&a=3', '/teams?id=1,2&a=3'],
  ['parameters-joined', '/teams?id=1&id=2', '/teams?id=2'],
  ['prefix-stripped', '/teams?page=2', '/api/v1/teams?page=2'],
  ['prefix-stripped', '/teams', '/prod/teams'],
  ['percent-encoding', '/teams?name=a+b', '/teams?name=a%2Bb'],
  ['query-sorted', '/t?e=1&d=2&c=3&b=4&a=5', '/t?a=5&b=4&c=3&d=2&e=1'],
];

const form = 'multipart/form-data';
const part = '--x1\r\n\r\na\r\n--x1--\r\n';

const inMilliseconds = { ...get, timestamp: `${timestamp}987` };

/** Texts that are signed in place of that of another request. */
const texts: readonly (readonly [id: string, request: ExplainableRequest, text: string])[] = [
  ['full-url', get, getText.replace('/', `${get.origin}/`)],
  ['lower-case-method', get, getText.replace('GET', 'get')],
  ['lower-case-method', get, getText.replace('GET', 'Get')],
  ['crlf', get, getText.replaceAll('\n', '\r')],
  ['boundary-missing', post(part, `${form}; boundary=x1`), postText(part, form)],
  [
    'boundary-missing',
    post(part, `${form}; boundary=x1; charset=utf-8`),
    postText(part, `${form}; charset=utf-8`),
  ],
  ['literal-newline', get, getText.replaceAll('\n', '\\n')],
  ['no-separator', post(team), `POST/teams${timestamp}${json}${team}`],
  ['trailing-lines-lost', get, getText.trimEnd()],
  ['trailing-newline', get, `${getText}\n`],
  ['crlf', get, getText.replaceAll('\n', '\r\n')],
  ['content-type-line-missing', post(team), `POST\n/teams\n${timestamp}\n${team}`],
  ['timestamp-taken-twice', get, getText.replace(timestamp, String(Number(timestamp) - 1))],
  ['content-type-missing', post(team), postText(team, '')],
  ['charset', post(team, `${json}; charset=UTF-8`), postText(team)],
  ['charset', post('{}', `${json} ; charset=utf-8`), postText('{}')],
  ['charset', post('{}', `${json};charset=utf-8`), postText('{}', `${json}; charset=UTF-8`)],
  ['content-type-without-body', { ...get, contentType: 'a/b' }, getText.replace(/\n$/, 'a/b\n')],
  ['body-missing+content-type-missing', post('{}'), postText('', '')],
  ['body-missing', post('{}', 'ä'.repeat(99)), postText('', 'ä'.repeat(99))],
  ['crlf', post('{\n}'), postText('{\n}').replaceAll('\n', '\r\n')],
  ['milliseconds', inMilliseconds, getText.replace(timestamp, `${timestamp}987`)],
  ['milliseconds', inMilliseconds, getText],
  ['milliseconds', get, getText.replace(timestamp, `${timestamp}999`)],
  ['milliseconds', post(large), postText(large).replace(timestamp, `${timestamp}000`)],
  ['trailing-lines-lost', get, getText.slice(0, -1)],
  ['body-missing+trailing-lines-lost', post('{}'), postText('').trimEnd()],
  ['query-missing+trailing-lines-lost', get, `GET\n/connections\n${timestamp}`],
  ['lower-case-method+query-missing', get, `get\n/connections\n${timestamp}\n\n`],
  [
    'full-url+content-type-without-body',
    get,
    getText.replace('/', `${get.origin}/`).replace(/\n$/, `${json}\n`),
  ],
  ['keys-reordered+charset', post('{"b":1,"a":2}'), postText('{"a":2,"b":1}', `${json}; charset=utf-8`)],
  ['body-compact+content-type-missing', post('{ "a": 1 }'), postText('{"a":1}', '')],
  ['body-pretty+content-type-line-missing', post('{"a":1}'), `POST\n/teams\n${timestamp}\n{"a": 1}`],
  ['trailing-newline+crlf', post('{}'), postText('{}\n').replaceAll('\n', '\r\n')],
  ['trailing-newline+body-hashed', post('{}'), `${postText(sha256('{}\n'))}`],
  [
    'charset+milliseconds',
    post('{}'),
    postText('{}', `${json}; charset=utf-8`).replace(timestamp, `${timestamp}900`),
  ],
  [
    'query-decoded+milliseconds',
    { ...get, target: '/teams?name=a+b' },
    `GET\n/teams?name=a b\n${timestamp}987\n\n`,
  ],
  [
    'base-path-missing+milliseconds',
    { ...get, target: '/api/v1/teams?limit=2' },
    `GET\n/teams?limit=2\n${timestamp}987\n\n`,
  ],
  [
    'base-path-missing+milliseconds',
    { ...post('{}'), target: '/a/b/c/v1/teams' },
    postText('{}').replace(timestamp, `${timestamp}000`),
  ],
  ['base-path-missing+trailing-slash', { ...get, target: '/v1/teams' }, `GET\n/teams/\n${timestamp}\n\n`],
  ['body-missing+trailing-lines-lost', post('{}'), `POST\n/teams\n${timestamp}`],
  ['timestamp-format', get, getText.replace(timestamp, '2023-11-14T22:13:20Z')],
  ['timestamp-format', get, getText.replace(timestamp, `${timestamp}.0`)],
  ['timestamp-format', get, getText.replace(timestamp, `${timestamp}.5`)],
  ['timestamp-format', get, getText.replace(timestamp, `${timestamp}.120`)],
  ['timestamp-taken-twice', get, getText.replace(timestamp, String(Number(timestamp) + 30))],
  ['full-url', get, getText.replace('/', 'api.example.com/')],
];

function sortedUpper(): [ExplainableRequest, string] {
  const digits = hex(`GET\n/teams?a=1&b=2\n${timestamp}\n\n`);
  return [{ ...get, target: '/teams?b=2&a=1' }, digits.toUpperCase()];
}

/** What is known of keys, digests and spellings, and of two mistakes at once. */
const spelled: readonly Case[] = [
  ['secret-newline', 'LF', get, hex(getText, `${secret}\n`)],
  ['secret-unset', 'of bash', get, hex(getText, '')],
  ['secret-unset', 'of Node.js', get, hex(getText, 'undefined')],
  ['secret-unset', 'of Python', get, hex(getText, 'None')],
  ['secret-unset', 'in single quotes', get, hex(getText, '$ORGCTL_SECRET')],
  ...[
    `\${ORGCTL_SECRET}`,
    '{{secret}}',
    '{{ SECRET }}',
    '%ORGCTL_SECRET%',
    '$env:ORGCTL_SECRET',
    '********',
  ].map((unexpanded): Case => ['secret-unset', unexpanded, get, hex(getText, unexpanded)]),
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
  ['secret-newline', 'CRLF', get, hex(getText, `${secret}\r\n`)],
  ['sha512', 'a GET', get, hex(getText, secret, 'sha512')],
  ['no-key', 'the secret last', get, sha256(`${getText}${secret}`)],
  ['base64', 'of the other alphabet', get, hmac(getText).digest('base64url')],
  ['base64', 'of the hexadecimal digits', get, Buffer.from(hex(getText)).toString('base64')],
  [
    'secret-newline+trailing-newline',
    'two at once',
    post('{"name":"a"}'),
    hex(postText('{"name":"a"}\n'), `${secret}\n`),
  ],
  [
    'secret-newline+milliseconds',
    'the timestamp sent so',
    inMilliseconds,
    hex(getText.replace(timestamp, `${timestamp}987`), `${secret}\n`),
  ],
  [
    'milliseconds+base64',
    'sent so',
    { ...get, timestamp: `${timestamp}100` },
    hmac(getText.replace(timestamp, `${timestamp}100`)).digest('base64'),
  ],
  ['key-id-as-secret+body-missing', 'two at once', post('{}'), hex(postText(''), 'key_a')],
  ['secret-hex+base64', 'two at once', get, hmac(getText, Buffer.from(secret, 'hex')).digest('base64')],
  ['lower-case-method+sha1', 'two at once', get, hex(getText.replace('GET', 'get'), secret, 'sha1')],
  [
    'sha1+milliseconds',
    'two at once',
    get,
    hex(getText.replace(timestamp, `${timestamp}042`), secret, 'sha1'),
  ],
  ['sha512+upper-case-hex', 'two at once', get, hex(getText, secret, 'sha512').toUpperCase()],
  ['query-sorted+upper-case-hex', 'two at once', ...sortedUpper()],
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
