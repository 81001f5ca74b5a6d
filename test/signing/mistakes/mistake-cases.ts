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

function hmac16(text: string, key: Buffer): string {
  return hmac(Buffer.from(text, 'utf16le'), key).digest('hex');
}

export const getText = `GET\n/connections?limit=2\n${timestamp}\n\n`;
const teamText = `POST\n/teams\n${timestamp}\n${json}\n{"name":"a"}`;

export function postText(body: string, contentType = json): string {
  return `POST\n/teams\n${timestamp}\n${contentType}\n${body}`;
}

type Case = readonly [id: string, situation: string, request: ExplainableRequest, signature: string];

/** What is signed in place of what is sent, with the right key and in the right way. */
const texts: readonly (readonly [
  id: string,
  situation: string,
  request: ExplainableRequest,
  text: string,
])[] = [
  ['query-missing', 'an empty query', { ...get, target: '/teams?' }, `GET\n/teams\n${timestamp}\n\n`],
  ['charset', 'sent without', post('{}'), postText('{}', `${json}; charset=utf-8`)],
  ['charset', 'sent behind a space', post('{}', `${json} ; charset=utf-8`), postText('{}')],
  [
    'charset',
    'spelled otherwise',
    post('{}', `${json};charset=utf-8`),
    postText('{}', `${json}; charset=UTF-8`),
  ],
  ['content-type-not-sent', 'sent without', post('{}', ''), postText('{}')],
  ['content-type-not-sent', 'another one sent', post('{}', 'text/plain'), postText('{}')],
  [
    'content-type-without-body',
    'sent',
    { ...get, contentType: 'text/x' },
    getText.replace(/\n\n$/, '\ntext/x\n'),
  ],
  ['content-type-without-body', 'not sent', get, getText.replace(/\n\n$/, `\n${json}\n`)],
  ['body-missing', 'with its type', post('{}'), postText('')],
  ['body-missing', 'and its type', post('{}'), postText('', '')],
  ['trailing-newline', 'one more', post('{"name":"a"}'), `${teamText}\n`],
  ['trailing-newline', 'one CRLF more', post('{"name":"a"}'), `${teamText}\r\n`],
  ['trailing-newline', 'one less', post('{"name":"a"}\n'), teamText],
  ['trailing-newline', 'one CRLF less', post('{"name":"a"}\r\n'), teamText],
  ['trailing-newline', 'three less', post('{"name":"a"}\n\n\n'), teamText],
  ['body-compact', 'sent with spaces', post('{ "name": "a" }'), teamText],
  [
    'body-compact',
    'with escapes',
    post('{"name":"é\u{1f511}"}'),
    postText('{"name":"\\u00e9\\ud83d\\udd11"}'),
  ],
  ['body-pretty', 'spaces', post('{"a":[1,{}],"b":"x, y"}'), postText('{"a": [1, {}], "b": "x, y"}')],
  ['body-pretty', 'two spaces', post('{"name":"a"}'), postText('{\n  "name": "a"\n}')],
  ['body-pretty', 'four spaces', post('{"name":"a"}'), postText('{\n    "name": "a"\n}')],
  ['body-pretty', 'tabs', post('{"name":"a"}'), postText('{\n\t"name": "a"\n}')],
  ['crlf', 'everywhere', post('{\n}'), postText('{\n}').replaceAll('\n', '\r\n')],
  ['crlf', 'in the body alone', post('{\n}'), postText('{\r\n}')],
  ['crlf', 'sent, LF signed', post('{\r\n}'), postText('{\n}')],
  [
    'milliseconds',
    'signed and sent',
    { ...get, timestamp: `${timestamp}987` },
    getText.replace(timestamp, `${timestamp}987`),
  ],
  ['milliseconds', 'sent', { ...get, timestamp: `${timestamp}987` }, getText],
  [
    'milliseconds',
    'whole seconds, with a large body',
    post('x'.repeat(5000)),
    postText('x'.repeat(5000)).replace(timestamp, `${timestamp}000`),
  ],
  ['trailing-lines-lost', 'one', get, getText.slice(0, -1)],
  ['keys-reordered', 'sorted', post('{"z":1,"a":{"c":1,"b":2}}'), postText('{"a":{"b":2,"c":1},"z":1}')],
  [
    'keys-reordered',
    'beside null',
    post('{"z":null,"y":1,"x":2,"a":3}'),
    postText('{"a":3,"x":2,"y":1,"z":null}'),
  ],
  [
    'keys-reordered',
    'as in the reference, with spaces',
    post('{"config":{"port":1,"host":"h"},"a":1,"b":2,"name":"n"}'),
    postText('{"name": "n", "config": {"host": "h", "port": 1}, "a": 1, "b": 2}'),
  ],
  ['keys-reordered', 'anyhow', post('{"a":1,"b":2,"c":3}'), postText('{"b":2,"c":3,"a":1}')],
  ['body-compact', 'with its newline', post('{ "a": 1 }\n'), postText('{"a":1}\n')],
  ['body-hashed', 'in hexadecimal', post('{}'), postText(createHash('sha256').update('{}').digest('hex'))],
  ['body-hashed', 'of no body', get, `${getText}${createHash('sha256').update('').digest('hex')}`],
  [
    'base-path-missing',
    'two segments',
    { ...get, target: '/api/v1/quotas?a=/b' },
    `GET\n/quotas?a=/b\n${timestamp}\n\n`,
  ],
  ['base-path-missing', 'down to its slash', { ...get, target: '/v1/' }, `GET\n/\n${timestamp}\n\n`],
  [
    'base-path-missing',
    'four segments',
    { ...get, target: '/a/b/c/d/quotas' },
    `GET\n/quotas\n${timestamp}\n\n`,
  ],
  ['query-decoded', 'a path alone', { ...get, target: '/%C3%B6' }, `GET\n/\u00f6\n${timestamp}\n\n`],
  [
    'query-decoded',
    'all of it, with a space as +',
    { ...get, target: '/%C3%B6?name=%26+' },
    `GET\n/\u00f6?name=& \n${timestamp}\n\n`,
  ],
  [
    'query-decoded',
    'the query alone, with a space as +',
    { ...get, target: '/%C3%B6?name=%26+' },
    `GET\n/%C3%B6?name=& \n${timestamp}\n\n`,
  ],
  [
    'query-decoded',
    'all of it, with the + kept',
    { ...get, target: '/%C3%B6?name=%26+' },
    `GET\n/\u00f6?name=&+\n${timestamp}\n\n`,
  ],
  [
    'query-decoded',
    'the query alone, with the + kept',
    { ...get, target: '/%C3%B6?name=%26+' },
    `GET\n/%C3%B6?name=&+\n${timestamp}\n\n`,
  ],
  ['body-missing+trailing-lines-lost', 'a POST', post('{}'), postText('').trimEnd()],
  ['query-missing+trailing-lines-lost', 'two at once', get, `GET\n/connections\n${timestamp}`],
  [
    'query-decoded+milliseconds',
    'a space as +',
    { ...get, target: '/teams?name=a+b' },
    `GET\n/teams?name=a b\n${timestamp}987\n\n`,
  ],
];

export const cases: readonly Case[] = [
  ...texts.map(([id, situation, request, text]): Case => [id, situation, request, hmac(text).digest('hex')]),
  ['secret-newline', 'CRLF', get, hmac(getText, `${secret}\r\n`).digest('hex')],
  ['sha512', 'a GET', get, hmac(getText, secret, 'sha512').digest('hex')],
  ['base64', 'of the other alphabet', get, hmac(getText).digest('base64url')],
  ['base64', 'of the hexadecimal digits', get, Buffer.from(hmac(getText).digest('hex')).toString('base64')],
  [
    'secret-newline+trailing-newline',
    'two at once',
    post('{"name":"a"}'),
    hmac(`${teamText}\n`, `${secret}\n`).digest('hex'),
  ],
  [
    'secret-newline+milliseconds',
    'the timestamp sent so',
    { ...get, timestamp: `${timestamp}987` },
    hmac(getText.replace(timestamp, `${timestamp}987`), `${secret}\n`).digest('hex'),
  ],
  [
    'milliseconds+base64',
    'sent so',
    { ...get, timestamp: `${timestamp}1`.padEnd(13, '0') },
    hmac(getText.replace(timestamp, `${timestamp}1`.padEnd(13, '0'))).digest('base64'),
  ],
  ['sha512+upper-case-hex', 'two at once', get, hmac(getText, secret, 'sha512').digest('hex').toUpperCase()],
];

/** A request whose signature begins with a zero. */
const zeroed = (() => {
  for (let page = 0; ; page += 1) {
    const request = { ...get, target: `/teams?page=${page}` };
    const digits = hmac(`GET\n${request.target}\n${timestamp}\n\n`).digest('hex');
    if (digits.startsWith('0')) return { request, digits };
  }
})();

function sortedUpper(): [ExplainableRequest, string] {
  const digits = hmac(`GET\n/teams?a=1&b=2\n${timestamp}\n\n`).digest('hex');
  return [{ ...get, target: '/teams?b=2&a=1' }, digits.toUpperCase()];
}

/** Those of which `classicMistakes` has no example, and other forms of those. */
export const rare: readonly Case[] = [
  ['credential-as-secret', 'as for Basic', get, hmac(getText, `key_a:${secret}`).digest('hex')],
  [
    'secret-encoded',
    'hashed',
    get,
    hmac(getText, createHash('sha256').update(secret).digest()).digest('hex'),
  ],
  ['sha384', 'a GET', get, hmac(getText, secret, 'sha384').digest('hex')],
  ['md5', 'a GET', get, hmac(getText, secret, 'md5').digest('hex')],
  [
    'no-key',
    'the secret last',
    get,
    createHash('sha256')
      .update(getText + secret)
      .digest('hex'),
  ],
  ['utf-16', 'the secret, too', get, hmac16(getText, Buffer.from(secret, 'utf16le'))],
  ...(
    [
      ['percent-encoding', '/teams?name=%c3%a9', '/teams?name=%C3%A9'],
      ['percent-encoding', '/teams?name=a:b', '/teams?name=a%3Ab'],
      ['percent-encoding', '/teams?name=a%3Ab%20c', '/teams?name=a:b%20c'],
      ['percent-encoding', '/teams?name=%C3%A9', '/teams?name=%25C3%25A9'],
      ['leading-slash-missing', '/teams', 'teams'],
      ['double-slash', '/teams', '//teams'],
      ['double-slash', '/v1//teams', '/v1/teams'],
      ['trailing-slash', '/teams/?page=1', '/teams?page=1'],
      ['question-mark', '/teams', '/teams?'],
      ['question-mark', '/teams?page=1', '/teamspage=1'],
      ['plus-for-space', '/teams?name=a+b', '/teams?name=a%2Bb'],
      ['query-sorted', '/teams?a=1&b=2&c=3', '/teams?b=2&a=1&c=3'],
      ['query-sorted', '/t?e=1&d=2&c=3&b=4&a=5', '/t?a=5&b=4&c=3&d=2&e=1'],
    ] as const
  ).map(
    ([id, target, signed]): Case => [
      id,
      `${target}, ${signed} signed`,
      { ...get, target },
      hmac(`GET\n${signed}\n${timestamp}\n\n`).digest('hex'),
    ],
  ),
  ...(
    [
      ['byte-order-mark', '{"a":1}', '\ufeff{"a":1}'],
      ['byte-order-mark', '\ufeff{"a":1}', '{"a":1}'],
      ['json-escapes', '{"a":"b/c"}', '{"a":"b\\/c"}'],
      ['json-escapes', '{"a":"<b>"}', '{"a":"\\u003cb\\u003e"}'],
      ['json-escapes', '{"a":"<b>"}', '{"a":"\\u003Cb\\u003E"}'],
      ['body-not-serialised', '{"a":"b","c":null}', "{'a': 'b', 'c': None}"],
      ['body-not-serialised', '{"a":"b"}', '{"a"=>"b"}'],
      ['body-not-serialised', '{"a":"b"}', '{a=b}'],
      ['body-not-serialised', '{"b":1,"a":[1,2]}', 'map[a:[1 2] b:1]'],
      ['body-not-serialised', '{"a":"b"}', '[object Object]'],
      ['body-not-serialised', '{"a":"b c"}', 'a=b+c'],
      ['body-not-serialised', '{"a":"b"}', 'b\'{"a":"b"}\''],
      ['body-encoded', '{"a":1}', Buffer.from('{"a":1}').toString('base64')],
      ['body-encoded', '{"a":1}', '"{\\"a\\":1}"'],
      ['body-newlines', '{ "a": 1,   "b": [ 1 ] }', '{\n "a": 1,\n   "b": [\n 1\n ]\n }\n'],
      ['latin-1', '{"a":"\u00e9"}', '{"a":"?"}'],
      ['latin-1', '{"a":"\u00e9"}', '{"a":"\u00c3\u00a9"}'],
      ['latin-1', '{"a":"\u00e9"}', '{"a":"e\u0301"}'],
    ] as const
  ).map(
    ([id, sent, signed]): Case => [
      id,
      `${sent}, ${signed} signed`,
      post(sent),
      hmac(postText(signed)).digest('hex'),
    ],
  ),
  ...(
    [
      ['other-separator', `GET|/connections?limit=2|${timestamp}||`],
      ['no-separator', `GET/connections?limit=2${timestamp}`],
      ['wrong-order', `${timestamp}GET/connections?limit=2`],
      ['wrong-order', `GET\n${timestamp}\n/connections?limit=2\n\n`],
      ['method-missing', `/connections?limit=2\n${timestamp}\n\n`],
      ['target-missing', `GET\n${timestamp}\n\n`],
      ['key-id-signed', `key_a\nGET\n/connections?limit=2\n${timestamp}\n\n`],
      ['timestamp-format', 'GET\n/connections?limit=2\n2023-11-14T22:13:20Z\n\n'],
      ['timestamp-format', `GET\n/connections?limit=2\n${timestamp}.0\n\n`],
      ['timestamp-taken-twice', `GET\n/connections?limit=2\n${Number(timestamp) + 30}\n\n`],
      ['full-url', `GET\napi.example.com/connections?limit=2\n${timestamp}\n\n`],
      ['body-not-sent', `GET\n/connections?limit=2\n${timestamp}\n${json}\n{}`],
    ] as const
  ).map(([id, text]): Case => [id, JSON.stringify(text), get, hmac(text).digest('hex')]),
  ['body-alone', 'as webhooks', post('{}'), hmac(`${timestamp}.{}`).digest('hex')],
  ['hex-twice', 'a GET', get, Buffer.from(hmac(getText).digest('hex')).toString('hex')],
  ['leading-zeros-lost', 'a GET', zeroed.request, zeroed.digits.replace(/^0+/, '')],
  ['text-around', 'a prefix', get, `sha256=${hmac(getText).digest('hex')}`],
  ['query-sorted+upper-case-hex', 'two at once', ...sortedUpper()],
];
