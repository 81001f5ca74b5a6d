import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  canonicalString,
  hmacSignature,
  type ReceivedRequest,
  type SignableRequest,
  verifyRequest,
} from '../../src/signing/index.js';
import { at } from '../support/caller.js';
import { useServer } from '../support/servers.js';
import { answersIn, rawExchange } from './support/raw-exchange.js';

// The same bytes are sent to the service and to a server of Node's that asks `verifyRequest`, once with Node's headers,
// once with a `Headers` and the body as text. What is refused, and in which order, stands in the reference (sections 5, 7).
// What a credential, a timestamp or a signature may look like has its tables beside each of them.
const now = 1_750_000_000;
const clock = () => now * 1000;
const context = useServer({ clock, quotas: { teams: 1000 } });

const secret = 'Secret-'.repeat(10).slice(0, 64);
const keys = {
  key_on: { secret, enabled: true },
  key_off: { secret, enabled: false },
};

/** `accepted`, or status and message of the refusal. */
type Verdict = string;

const library = createServer((request, response) => {
  const answer = async () => response.end(JSON.stringify(await verdictsOfLibrary(request)));
  void answer();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => library.listen(0, '127.0.0.1', resolve));
  const { keys: controlled } = context.server.control;
  for (const [id, key] of Object.entries(keys)) {
    await controlled.issue({ id, secret: key.secret });
    if (!key.enabled) await controlled.disable(id);
  }
});
afterAll(() => library.close());

async function verdictsOfLibrary(request: IncomingMessage): Promise<Verdict[]> {
  const { method = '', url: target = '', rawHeaders, headers } = request;
  const body = await buffer(request);
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []));
  const verdict = async (received: ReceivedRequest): Promise<Verdict> => {
    const found = (keyId: string) => new Map(Object.entries(keys)).get(keyId);
    const verified = await verifyRequest(received, found, { clock });
    return verified.accepted ? 'accepted' : `${verified.statusCode} ${verified.message}`;
  };
  const fetched = new Headers(pairs.map(([name = '', value = '']): [string, string] => [name, value]));
  return [
    await verdict({ method, target, headers, body }),
    await verdict({ method, target, headers: fetched, body: isUtf8(body) ? body.toString() : body }),
  ];
}

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly lines: readonly string[];
  /** Each character is a byte. */
  readonly body?: string | undefined;
}

async function verdictOfService(sent: Sent): Promise<Verdict> {
  const { statuses, body } = await exchange(context.server.url, sent);
  const [status = 0] = statuses;
  // What comes after the credential is another's to check.
  const isAccepted = status < 300 || status === 404 || status === 415;
  return isAccepted ? 'accepted' : `${status} ${at(body, 'message')}`;
}

/** By the service, by the library with headers as Node has them, and by the library with a `Headers`. */
async function verdictsOf(sent: Sent): Promise<unknown> {
  const address = library.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { body } = await exchange(`http://127.0.0.1:${port}`, sent);
  return [await verdictOfService(sent), ...(Array.isArray(body) ? body : [body])];
}

async function exchange(url: string, { method = 'GET', target = '/quotas', lines, body = '' }: Sent) {
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${new URL(url).host}`, ...lines];
  const end = [`Content-Length: ${body.length}`, 'Connection: close', '', body];
  return answersIn(await rawExchange({ url }, [...head, ...end].join('\r\n')));
}

/** What a client signs and sends; each part can be another one than what is signed. */
interface Signed {
  readonly keyId?: string;
  readonly with?: string;
  readonly method?: string;
  readonly target?: string;
  readonly timestamp?: string;
  /** Undefined: the header is not sent. */
  readonly contentType?: string | undefined;
  readonly body?: string;
  /** What is signed in place of what is sent. */
  readonly over?: Partial<SignableRequest>;
  readonly spell?: (signature: string) => string;
  /** Header names that are left out, and lines that are added. */
  readonly without?: RegExp;
  readonly lines?: readonly string[];
}

function signed(options: Signed = {}): Sent {
  const { keyId = 'key_on', with: key = secret, method = 'GET', target = '/quotas', body, over } = options;
  const { timestamp = String(now), contentType, spell = String, without, lines = [] } = options;
  const signedBody = Buffer.from(body ?? '', 'latin1');
  const signable = { method, target, timestamp, contentType: contentType ?? '', body: signedBody };
  const signature = hmacSignature(key, canonicalString({ ...signable, ...over }));
  const all = [
    `X-API-Key: ${keyId}`,
    `X-API-Timestamp: ${timestamp}`,
    `X-API-Signature: ${spell(signature)}`,
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
  ];
  const sent = all.filter((line) => without === undefined || !without.test(line));
  return { method, target, body, lines: [...sent, ...lines] };
}

function post(options: Signed = {}): Sent {
  const team = { target: '/teams', contentType: 'application/json', body: '{"name":"\xc3\xa9"}' };
  return signed({ method: 'POST', ...team, ...options });
}

function basic(authorization: string): Sent {
  return { lines: [`Authorization: ${authorization}`] };
}

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');
const credentials = (keyId = 'key_on', given = secret) => `Basic ${base64(`${keyId}:${given}`)}`;

const both = '400 Multiple credentials provided';
const key = '401 Invalid API key';
const wrongSecret = '401 Invalid API key secret';
const format = '401 Invalid Basic auth format';
const signature = '401 Invalid API signature';
const time = '401 Invalid or missing X-API-Timestamp';
const disabled = '403 API key is disabled';

const rules: Record<string, readonly [name: string, sent: Sent, verdict: Verdict][]> = {
  'which credential': [
    ['none', { lines: [] }, key],
    ['both', signed({ lines: [`Authorization: ${credentials()}`] }), both],
    ['both empty', { lines: ['Authorization:', 'X-API-Key:'] }, both],
    ['header names in any case', signed({ without: /-Key/, lines: ['x-aPi-kEy: key_on'] }), 'accepted'],
  ],
  'mode A': [
    ['as described', basic(credentials()), 'accepted'],
    ['an empty header', basic(''), format],
    ['what is not base64', basic(`Basic key_on:${secret}`), format],
    ['an unknown key', basic(credentials('key_unknown')), key],
    ['a secret in another case', basic(credentials('key_on', secret.toUpperCase())), wrongSecret],
    ['a disabled key', basic(credentials('key_off')), disabled],
    ['a disabled key and another secret', basic(credentials('key_off', 'x')), wrongSecret],
  ],
  'mode B': [
    ['as described', signed(), 'accepted'],
    ['with a body', post(), 'accepted'],
    ['an unknown key', signed({ keyId: 'key_unknown', timestamp: '1' }), key],
    ['a disabled key', signed({ keyId: 'key_off' }), disabled],
    ['a disabled key and another secret', signed({ keyId: 'key_off', with: 'x' }), signature],
    ['another secret', signed({ with: 's'.repeat(64) }), signature],
  ],
  'the timestamp': [
    ['300 seconds ahead', signed({ timestamp: String(now + 300) }), 'accepted'],
    ['301 seconds behind', signed({ timestamp: String(now - 301) }), time],
    ['missing', signed({ without: /-Timestamp/ }), time],
    ['with white space around', signed({ timestamp: `${now}\t`, over: { timestamp: `${now}` } }), 'accepted'],
    ['old, and no signature', signed({ timestamp: '1', without: /-Signature/ }), time],
  ],
  'the signature': [
    ['missing', signed({ without: /-Signature/ }), signature],
    ['in upper case', signed({ spell: (hex) => hex.toUpperCase() }), signature],
    [
      'over a target without its query',
      signed({ target: '/teams?a', over: { target: '/teams' } }),
      signature,
    ],
    ['over a decoded target', signed({ target: '/%71uotas', over: { target: '/quotas' } }), signature],
    ['over no body', post({ over: { body: Buffer.alloc(0) } }), signature],
    ['without the content type that was signed', post({ without: /Content-Type/ }), signature],
    ['over a body without a content type', post({ contentType: undefined }), 'accepted'],
    ['over bytes that are not UTF-8', post({ target: '/nowhere', body: '\xff\xfe' }), 'accepted'],
    ['with a type, without a body', signed({ contentType: 'a/b', over: { contentType: '' } }), 'accepted'],
  ],
};

describe.each(Object.entries(rules))('%s', (_subject, cases) => {
  it.each(cases)('%s', async (_name, sent, verdict) => {
    expect(await verdictsOf(sent)).toEqual([verdict, verdict, verdict]);
  });
});

describe('a header that was sent twice, which the service refuses before it is read', () => {
  it.each<[string, Sent, Verdict, Verdict]>([
    // Node shows the first of two Authorization headers.
    ['Authorization', { lines: [`Authorization: ${credentials()}`, 'Authorization: x'] }, 'accepted', format],
    ['X-API-Key', signed({ lines: ['X-API-Key: key_on'] }), key, key],
    ['X-API-Timestamp', signed({ lines: [`X-API-Timestamp: ${now}`] }), time, time],
    ['X-API-Signature', signed({ lines: ['X-API-Signature:'] }), signature, signature],
  ])('%s', async (name, sent, asNode, asHeaders) => {
    const twice = `400 Bad Request: ${name} was sent twice`;
    expect(await verdictsOf(sent)).toEqual([twice, asNode, asHeaders]);
  });
});
