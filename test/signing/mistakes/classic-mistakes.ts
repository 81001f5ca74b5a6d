import { createHash, createHmac } from 'node:crypto';
import type { ExplainableRequest } from '../../../src/signing/index.js';

export const secret = 'a1'.repeat(32);
export const keyId = 'key_a';
const json = 'application/json';

/** A request as it is sent, but for the moment. */
export type SentRequest = Omit<ExplainableRequest, 'timestamp' | 'origin' | 'keyId'> & {
  readonly method: string;
  readonly target: string;
};

/** What a hand-written client has at hand when it signs. */
export interface Signing {
  readonly secret: string;
  readonly keyId: string;
  readonly timestamp: string;
  readonly origin: string;
}

/** A mistake that people make who write their client by hand. */
export interface ClassicMistake {
  readonly title: string;
  /** Of the one that is named; `undefined` if it cannot be known. */
  readonly id: string | undefined;
  readonly sent: SentRequest;
  readonly sign: (at: Signing) => string;
}

const get: SentRequest = {
  method: 'GET',
  target: '/connections?limit=2',
  contentType: '',
  body: Buffer.alloc(0),
};
const post = (body: string | Buffer, contentType = json): SentRequest => ({
  method: 'POST',
  target: '/teams',
  contentType,
  body: Buffer.from(body),
});

function hmac(text: string | Buffer, key: string | Buffer, algorithm = 'sha256'): Buffer {
  return createHmac(algorithm, key).update(text).digest();
}

const hex = (text: string | Buffer, key: string | Buffer, algorithm?: string) =>
  hmac(text, key, algorithm).toString('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const withBody: SentRequest = { ...get, contentType: json, body: Buffer.from('{}') };
const getText = (timestamp: string, target = get.target) => `GET\n${target}\n${timestamp}\n\n`;
const postText = (timestamp: string, body: string, contentType = json) =>
  `POST\n/teams\n${timestamp}\n${contentType}\n${body}`;

const team = '{"name":"ops/é","size":2}';
const pretty = '{\n  "name": "ops",\n  "size": 2\n}\n';

type Named = readonly [title: string, id: string | undefined];

/** The right string of a GET, signed in some other way, or with its origin. */
const aboutSigning: readonly (readonly [...Named, sign: (text: string, at: Signing) => string])[] = [
  [
    'bash: SECRET=$(< file) with echo: a newline after it',
    'secret-newline',
    (text, at) => hex(text, `${at.secret}\n`),
  ],
  ['bash: an unset variable', 'secret-unset', (text) => hex(text, '')],
  [
    'Node.js: a template with process.env.X, which is not set',
    'secret-unset',
    (text) => hex(text, 'undefined'),
  ],
  ['Python: str(os.environ.get(X)), which is not set', 'secret-unset', (text) => hex(text, 'None')],
  ["bash: -hmac '$ORGCTL_SECRET' in single quotes", 'secret-unset', (text) => hex(text, '$ORGCTL_SECRET')],
  [
    'docker --env-file: quotes are part of the value',
    'secret-quoted',
    (text, at) => hex(text, `"${at.secret}"`),
  ],
  ['any: the full URL', 'full-url', (text, at) => hex(text.replace('/', `${at.origin}/`), at.secret)],
  ['any: the key ID instead of the secret', 'key-id-as-secret', (text, at) => hex(text, at.keyId)],
  ['Go: hex.DecodeString(secret)', 'secret-hex', (text, at) => hex(text, Buffer.from(at.secret, 'hex'))],
  [
    'C#: FromBase64String(secret)',
    'secret-base64',
    (text, at) => hex(text, Buffer.from(at.secret, 'base64')),
  ],
  ['any: the secret of another environment', undefined, (text) => hex(text, 'b2'.repeat(32))],
  ['bash: openssl dgst -sha256 without -hmac', 'no-key', (text) => sha256(text)],
  ['PHP: hash("sha256", $secret . $string)', 'no-key', (text, at) => sha256(at.secret + text)],
  [
    'PHP: hash_hmac with key and message swapped',
    'key-and-message-swapped',
    (text, at) => hex(at.secret, text),
  ],
  ['Python: hashlib.sha1', 'sha1', (text, at) => hex(text, at.secret, 'sha1')],
  ['C#: Convert.ToHexString, upper-case', 'upper-case-hex', (text, at) => hex(text, at.secret).toUpperCase()],
  [
    'C#: BitConverter.ToString',
    'hyphenated-hex',
    (text, at) => (hex(text, at.secret).toUpperCase().match(/../g) ?? []).join('-'),
  ],
  ['Java: Base64.getEncoder()', 'base64', (text, at) => hmac(text, at.secret).toString('base64')],
  ['bash: what openssl dgst prints', 'text-around', (text, at) => `SHA2-256(stdin)= ${hex(text, at.secret)}`],
  ['C#: Encoding.Unicode', 'utf-16', (text, at) => hex(Buffer.from(text, 'utf16le'), at.secret)],
];

/** Targets of a GET: the one that is sent, and the one that is signed. */
const aboutTargets: readonly (readonly [...Named, sent: string, signed: string])[] = [
  ['Node.js: url.pathname without url.search', 'query-missing', '/connections?limit=2', '/connections'],
  ['any: the path below the base URL', 'base-path-missing', '/v1/quotas', '/quotas'],
  ['PHP: ksort before http_build_query', 'query-sorted', '/teams?page=2&limit=5', '/teams?limit=5&page=2'],
  ['any: a slash at the end', 'trailing-slash', '/teams', '/teams/'],
  ['Python: urlencode, requests sends %20', 'plus-for-space', '/teams?name=a%20b', '/teams?name=a+b'],
  ['Java: URLEncoder sends +, and %20 is signed', 'plus-for-space', '/teams?name=a+b', '/teams?name=a%20b'],
  ['Go: r.URL.Path and a decoded query', 'query-decoded', '/teams?name=%C3%A9', '/teams?name=é'],
];

/** Bodies of a POST: the one that is sent, and the one that is signed. */
const aboutBodies: readonly (readonly [...Named, sent: string, signed: string])[] = [
  ['Python: json.dumps signs spaces', 'body-pretty', '{"name":"ops","size":2}', '{"name": "ops", "size": 2}'],
  ['bash: curl -d @FILE drops all line ends of a file', 'body-newlines', pretty.replaceAll('\n', ''), pretty],
  ['bash: $(< file) signs without the last line feed', 'trailing-newline', pretty, pretty.trimEnd()],
  [
    'bash: tr -d "\\n" signs the file without its line ends',
    'body-newlines',
    pretty,
    pretty.replaceAll('\n', ''),
  ],
];

/** Another string, signed with the right key. */
const aboutStrings: readonly (readonly [...Named, sent: SentRequest, write: (at: string) => string])[] = [
  ['Ruby: request.method in lower case', 'lower-case-method', get, (at) => getText(at).replace('GET', 'get')],
  [
    'bash: curl -d makes a GET a POST',
    'other-method',
    post(team),
    (at) => postText(at, team).replace('POST', 'GET'),
  ],
  ['bash: "\\n" with echo -n', 'literal-newline', get, (at) => getText(at).replaceAll('\n', '\\n')],
  ['any: values joined by nothing', 'no-separator', post(team), (at) => `POST/teams${at}${json}${team}`],
  ['any: the timestamp first', 'wrong-order', post(team), (at) => `${at}\nPOST\n/teams\n${json}\n${team}`],
  ['bash: $(printf …) drops the last line feeds', 'trailing-lines-lost', get, (at) => getText(at).trimEnd()],
  ['bash: echo, one line feed too many', 'trailing-newline', get, (at) => `${getText(at)}\n`],
  ['Windows: lines end in CR LF', 'crlf', get, (at) => getText(at).replaceAll('\n', '\r\n')],
  ['any: four lines', 'content-type-line-missing', post(team), (at) => `POST\n/teams\n${at}\n${team}`],
  ['any: no line for the timestamp', 'timestamp-missing', get, () => `GET\n${get.target}\n\n`],
  ['Node.js: Date.now() in milliseconds', 'milliseconds', get, (at) => getText(`${at}123`)],
  ['any: the clock read twice', 'timestamp-taken-twice', get, (at) => getText(String(Number(at) - 1))],
  ['any: no content type with a body', 'content-type-missing', post(team), (at) => postText(at, team, '')],
  ['Java: a charset is added', 'charset', post(team, `${json}; charset=UTF-8`), (at) => postText(at, team)],
  ['Python: requests.get(url, json={})', 'get-with-body', withBody, (at) => getText(at)],
  ['Node.js: JSON.stringify(undefined) for a GET', 'body-not-sent', get, (at) => `${getText(at)}undefined`],
];

/** By what they are about. */
export const classicMistakes: readonly ClassicMistake[] = [
  ...aboutSigning.map(
    ([title, id, sign]): ClassicMistake => ({
      title,
      id,
      sent: get,
      sign: (at) => sign(getText(at.timestamp), at),
    }),
  ),
  ...aboutTargets.map(([title, id, target, signed]) =>
    over(title, id, { ...get, target }, (at) => getText(at, signed)),
  ),
  ...aboutBodies.map(([title, id, sent, signed]) =>
    over(title, id, post(sent), (at) => postText(at, signed)),
  ),
  ...aboutStrings.map(([title, id, sent, write]) => over(title, id, sent, write)),
  over('Java: getBytes() in Latin-1 to sign, UTF-8 to send', 'latin-1', post(team), (at) =>
    Buffer.from(postText(at, team), 'latin1'),
  ),
];

function over(
  title: string,
  id: string | undefined,
  sent: SentRequest,
  write: (timestamp: string) => string | Buffer,
): ClassicMistake {
  return { title, id, sent, sign: ({ secret: key, timestamp }) => hex(write(timestamp), key) };
}
