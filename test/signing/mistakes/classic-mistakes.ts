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
const getText = (timestamp: string, target = get.target) => `GET\n${target}\n${timestamp}\n\n`;
const postText = (timestamp: string, body: string, contentType = json) =>
  `POST\n/teams\n${timestamp}\n${contentType}\n${body}`;

/** Signs the right string of a GET in some other way. */
const signed = (
  title: string,
  id: string | undefined,
  sign: (text: string, at: Signing) => string,
): ClassicMistake => ({ title, id, sent: get, sign: (at) => sign(getText(at.timestamp), at) });
/** Signs another string, with the right key. */
const over = (
  title: string,
  id: string | undefined,
  sent: SentRequest,
  write: (timestamp: string, origin: string) => string | Buffer,
): ClassicMistake => ({
  title,
  id,
  sent,
  sign: ({ secret: key, timestamp, origin }) => hex(write(timestamp, origin), key),
});
/** Signs another body than `sent`. */
const overBody = (
  title: string,
  id: string | undefined,
  sent: string | Buffer,
  body: string,
): ClassicMistake => over(title, id, post(sent), (timestamp) => postText(timestamp, body));

const team = '{"name":"ops/é","size":2}';
const pretty = '{\n  "name": "ops",\n  "size": 2\n}\n';

const aboutSecrets: readonly ClassicMistake[] = [
  signed('bash: SECRET=$(< file) with echo: a newline after it', 'secret-newline', (text, at) =>
    hex(text, `${at.secret}\n`),
  ),
  signed('bash: an unset variable', 'secret-unset', (text) => hex(text, '')),
  signed('Node.js: a template with process.env.X, which is not set', 'secret-unset', (text) =>
    hex(text, 'undefined'),
  ),
  signed('Python: str(os.environ.get(X)), which is not set', 'secret-unset', (text) => hex(text, 'None')),
  signed("bash: -hmac '$ORGCTL_SECRET' in single quotes", 'secret-unset', (text) =>
    hex(text, '$ORGCTL_SECRET'),
  ),
  signed('docker --env-file: quotes are part of the value', 'secret-quoted', (text, at) =>
    hex(text, `"${at.secret}"`),
  ),
  signed('any: the key ID instead of the secret', 'key-id-as-secret', (text, at) => hex(text, at.keyId)),
  signed('Go: hex.DecodeString(secret)', 'secret-hex', (text, at) =>
    hex(text, Buffer.from(at.secret, 'hex')),
  ),
  signed('C#: Convert.FromBase64String(secret)', 'secret-base64', (text, at) =>
    hex(text, Buffer.from(at.secret, 'base64')),
  ),
  signed('any: the secret of another environment', undefined, (text) => hex(text, 'b2'.repeat(32))),
];

const aboutDigests: readonly ClassicMistake[] = [
  signed('bash: openssl dgst -sha256 without -hmac', 'no-key', (text) =>
    createHash('sha256').update(text).digest('hex'),
  ),
  signed('PHP: hash("sha256", $secret . $string)', 'no-key', (text, at) =>
    createHash('sha256')
      .update(at.secret + text)
      .digest('hex'),
  ),
  signed('PHP: hash_hmac with key and message swapped', 'key-and-message-swapped', (text, at) =>
    hex(at.secret, text),
  ),
  signed('Python: hashlib.sha1', 'sha1', (text, at) => hex(text, at.secret, 'sha1')),
  signed('C#: Convert.ToHexString, upper-case', 'upper-case-hex', (text, at) =>
    hex(text, at.secret).toUpperCase(),
  ),
  signed('C#: BitConverter.ToString', 'hyphenated-hex', (text, at) =>
    (hex(text, at.secret).toUpperCase().match(/../g) ?? []).join('-'),
  ),
  signed('Java: Base64.getEncoder()', 'base64', (text, at) => hmac(text, at.secret).toString('base64')),
  signed(
    'bash: what openssl dgst prints before the digits',
    'text-around',
    (text, at) => `SHA2-256(stdin)= ${hex(text, at.secret)}`,
  ),
  signed('C#: Encoding.Unicode', 'utf-16', (text, at) => hex(Buffer.from(text, 'utf16le'), at.secret)),
];

const aboutTargets: readonly ClassicMistake[] = [
  over('Ruby: request.method as a lower-case symbol', 'lower-case-method', get, (at) =>
    getText(at).replace('GET', 'get'),
  ),
  over('Node.js: url.pathname without url.search', 'query-missing', get, (at) => getText(at, '/connections')),
  over('any: the full URL', 'full-url', get, (at, origin) => getText(at, `${origin}${get.target}`)),
  over('any: the path below the base URL', 'base-path-missing', { ...get, target: '/v1/quotas' }, (at) =>
    getText(at, '/quotas'),
  ),
  over(
    'PHP: ksort before http_build_query',
    'query-sorted',
    { ...get, target: '/teams?page=2&limit=5' },
    (at) => getText(at, '/teams?limit=5&page=2'),
  ),
  over('any: a slash at the end', 'trailing-slash', { ...get, target: '/teams' }, (at) =>
    getText(at, '/teams/'),
  ),
  over(
    'Python: urlencode writes + where requests sends %20',
    'plus-for-space',
    { ...get, target: '/teams?name=a%20b' },
    (at) => getText(at, '/teams?name=a+b'),
  ),
  over(
    'Java: URLEncoder sends +, and %20 is signed',
    'plus-for-space',
    { ...get, target: '/teams?name=a+b' },
    (at) => getText(at, '/teams?name=a%20b'),
  ),
  over(
    'Go: r.URL.Path and a decoded query',
    'query-decoded',
    { ...get, target: '/teams?name=%C3%A9' },
    (at) => getText(at, '/teams?name=é'),
  ),
  over('bash: curl -d makes a GET a POST', 'other-method', post(team), (at) =>
    postText(at, team).replace('POST', 'GET'),
  ),
];

const aboutStrings: readonly ClassicMistake[] = [
  over(
    'bash: "\\n" in double quotes with echo -n',
    'literal-newline',
    get,
    (at) => `GET\\n${get.target}\\n${at}\\n\\n`,
  ),
  over('any: values joined by nothing', 'no-separator', post(team), (at) => `POST/teams${at}${json}${team}`),
  over(
    'any: the timestamp first',
    'wrong-order',
    post(team),
    (at) => `${at}\nPOST\n/teams\n${json}\n${team}`,
  ),
  over('bash: $(printf …) drops the last line feeds', 'trailing-lines-lost', get, (at) =>
    getText(at).trimEnd(),
  ),
  over('bash: echo, one line feed too many', 'trailing-newline', get, (at) => `${getText(at)}\n`),
  over('Windows: lines end in CR LF', 'crlf', get, (at) => getText(at).replaceAll('\n', '\r\n')),
  over(
    'any: four lines, without the content type',
    'content-type-line-missing',
    post(team),
    (at) => `POST\n/teams\n${at}\n${team}`,
  ),
  over('any: no line for the timestamp', 'timestamp-missing', get, () => `GET\n${get.target}\n\n`),
  over('Node.js: Date.now() in milliseconds', 'milliseconds', get, (at) => getText(`${at}123`)),
  over('any: the clock read once to sign and once to send', 'timestamp-taken-twice', get, (at) =>
    getText(String(Number(at) - 1)),
  ),
];

const aboutBodies: readonly ClassicMistake[] = [
  over('any: no content type with a body', 'content-type-missing', post(team), (at) =>
    postText(at, team, ''),
  ),
  over('Java: the HTTP library adds a charset', 'charset', post(team, `${json}; charset=UTF-8`), (at) =>
    postText(at, team),
  ),
  over(
    'Python: requests.get(url, json={})',
    'get-with-body',
    { ...get, contentType: json, body: Buffer.from('{}') },
    (at) => getText(at),
  ),
  over(
    'Node.js: JSON.stringify(undefined) for a GET',
    'body-not-sent',
    get,
    (at) => `${getText(at)}undefined`,
  ),
  overBody(
    'Python: json.dumps signs spaces, and the library sends none',
    'body-pretty',
    '{"name":"ops","size":2}',
    '{"name": "ops", "size": 2}',
  ),
  overBody(
    'bash: curl -d @FILE drops all line ends of a file',
    'body-newlines',
    pretty.replaceAll('\n', ''),
    pretty,
  ),
  overBody(
    'bash: $(< file) signs the file without its last line feed',
    'trailing-newline',
    pretty,
    pretty.trimEnd(),
  ),
  overBody(
    'bash: tr -d "\\n" signs the file without its line ends',
    'body-newlines',
    pretty,
    pretty.replaceAll('\n', ''),
  ),
];

const aboutEncodings: readonly ClassicMistake[] = [
  {
    title: 'Java: getBytes() in Latin-1 to sign, UTF-8 to send',
    id: 'latin-1',
    sent: post(team),
    sign: ({ secret: key, timestamp }) => hex(Buffer.from(postText(timestamp, team), 'latin1'), key),
  },
];

/** By what they are about. */
export const classicMistakes: readonly ClassicMistake[] = [
  ...aboutSecrets,
  ...aboutDigests,
  ...aboutTargets,
  ...aboutStrings,
  ...aboutBodies,
  ...aboutEncodings,
];
