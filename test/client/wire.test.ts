import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../src/signing/index.js';
import {
  headerOf,
  hostilePeer,
  httpAnswer,
  type RecordedRequest,
  scriptedPeer,
} from '../support/hostile-peer.js';
import { credential } from './support/credential.js';
import { type ClientOptions, failureOf, noon, type OpenClient, openClient } from './support/open-client.js';

const ok = httpAnswer(200, {});
const quotas = { method: 'GET', target: '/quotas' } as const;

/** The signature by the reference's section 5, computed from nothing but the recorded bytes. */
function expectedSignature({ raw }: RecordedRequest): string {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.subarray(0, end).toString('latin1');
  const body = raw.subarray(end + 4);
  const [, method, target] = /^(\S+) (\S+) HTTP\/1\.1\r\n/.exec(head) ?? [];
  const header = (name: string) => new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(head)?.[1] ?? '';
  const contentType = body.length === 0 ? '' : header('content-type');
  return createHmac('sha256', credential.secret)
    .update(`${method}\n${target}\n${header('x-api-timestamp')}\n${contentType}\n`)
    .update(body)
    .digest('hex');
}

/** What the service received, whose signature is right. */
async function sent(
  request: Parameters<OpenClient['transport']['send']>[0],
  options: ClientOptions = {},
): Promise<RecordedRequest> {
  const peer = await scriptedPeer([ok]);
  await openClient(peer, options).transport.send(request);
  const [received] = peer.requests;
  if (received === undefined) throw new Error('nothing was received');
  const signature = options.auth === 'basic' ? undefined : expectedSignature(received);
  expect(headerOf(received, 'x-api-signature')).toBe(signature);
  return received;
}

describe('the target', () => {
  it.each([
    '/connections',
    '/connections?a=1&a=2&a=1',
    '/connections?q=%20%2B+%2f%2F&=&&x',
    '/connections?q=a?b/c;d:e@f!$\'()*,"<>[]\\^`{|}~',
    '/connections?',
    '/a//b/../c/./%2e%2E/',
    '/%00%0a%0D%ff',
  ])('goes out and is signed byte for byte: %s', async (target) => {
    const { raw } = await sent({ method: 'GET', target });
    expect(raw.subarray(0, 8 + target.length).toString('latin1')).toBe(`GET ${target} HTT`);
  });

  it('has the base path in front, which is signed too', async () => {
    const { target } = await sent({ method: 'GET', target: '/quotas?x=1' }, { prefix: '/api/v1' });
    expect(target).toBe('/api/v1/quotas?x=1');
  });

  it.each([
    'quotas',
    '//other.example/quotas',
    'http://other.example/quotas',
    '/a b',
    '/a#b',
    '/é',
    '/a\r\nX-Evil: 1',
    '',
  ])('is refused when it is not valid on a request line: %j', async (target) => {
    const peer = await scriptedPeer([ok]);
    for (const auth of ['hmac', 'basic'] as const) {
      const failure = await failureOf(openClient(peer, { auth }).transport.send({ method: 'GET', target }));
      const message = `${JSON.stringify(target)} is not a valid path: it must begin with a single slash and be percent-encoded`;
      expect(failure).toMatchObject({ code: 'usage', path: target, message });
    }
    expect(peer.connections).toBe(0);
  });
});

describe('the body', () => {
  const post = { method: 'POST', target: '/api-keys' } as const;

  it.each([
    ['JSON with its own spacing and a final newline', Buffer.from('{ "name" : "ci" }\r\n')],
    ['UTF-8', Buffer.from('{"name":"Zoë 🐘"}')],
    ['bytes that are no UTF-8', Buffer.from([0x00, 0xff, 0xfe, 0x0a, 0x0d])],
    ['large', Buffer.alloc(300_000, 'x')],
  ])('goes out and is signed byte for byte: %s', async (_name, body) => {
    const contentType = 'application/json; charset=utf-8';
    const request = await sent({ ...post, body, contentType });
    expect(request.body.equals(body)).toBe(true);
    expect(headerOf(request, 'content-type')).toBe(contentType);
    expect(headerOf(request, 'content-length')).toBe(String(body.length));
  });

  it.each([
    ['no body', undefined],
    ['an empty body', Buffer.alloc(0)],
  ])('%s has no Content-Type, and is signed as the empty string', async (_name, body) => {
    const request = await sent({ ...post, body, contentType: 'application/json' });
    expect(headerOf(request, 'content-type')).toBeUndefined();
    expect(headerOf(request, 'content-length')).toBe('0');
  });
});

describe('the headers', () => {
  it('are those of mode B, and nothing more', async () => {
    const { headers } = await sent(quotas);
    expect(headers).toEqual([
      [expect.stringMatching(/^host$/i), expect.stringMatching(/^127\.0\.0\.1:\d+$/)],
      [expect.stringMatching(/^connection$/i), 'keep-alive'],
      ['Accept', 'application/json'],
      ['Accept-Encoding', 'identity'],
      ['User-Agent', 'orgctl/test'],
      ['X-API-Key', credential.keyId],
      ['X-API-Timestamp', String(noon / 1000)],
      ['X-API-Signature', expect.stringMatching(/^[0-9a-f]{64}$/)],
    ]);
  });

  it('of the caller replace the defaults, in whatever case', async () => {
    const headers = { accept: 'text/csv', 'USER-AGENT': 'mine', 'x-other': '1' };
    const request = await sent({ ...quotas, headers });
    const values = ['accept', 'user-agent', 'x-other'].map((name) => headerOf(request, name));
    expect(values).toEqual(['text/csv', 'mine', '1']);
  });

  it.each([
    ['hmac', ['x-api-key', credential.keyId]],
    ['basic', ['authorization', basicAuthorization(credential)]],
  ] as const)('never carry two credentials (%s)', async (auth, own) => {
    const headers = { Authorization: 'Bearer x', 'X-Api-Key': 'key_other', 'x-api-signature': '0' };
    const request = await sent({ ...quotas, headers }, { auth });
    const credentials = request.headers.filter(([name]) => /^(authorization|x-api-key)$/i.test(name));
    expect(credentials.map(([name, value]) => [name.toLowerCase(), value])).toEqual([own]);
    expect(JSON.stringify(request.headers)).not.toMatch(/key_other|Bearer/);
  });

  it.each([
    [{ expect: '100-continue' }, /\bexpect\b/],
    [{ 'transfer-encoding': 'chunked' }, /\btransfer-encoding\b/],
    [{ 'X-Note': 'a\nb' }, /\bX-Note\b/],
  ])('that cannot be sent are an error of usage, and nothing is: %j', async (headers, reason) => {
    const peer = await scriptedPeer([ok]);
    const { transport, waits } = openClient(peer, { retries: 3 });
    const message = expect.stringMatching(/^GET \/quotas cannot be sent: /);
    const failure = { code: 'usage', message, method: 'GET', path: '/quotas' };
    const found = await failureOf(transport.send({ ...quotas, headers }));
    expect(found).toMatchObject(failure);
    expect(found['message']).toMatch(reason);
    expect([peer.connections, waits.length]).toEqual([0, 0]);
  });
});

it('signs each attempt afresh, by the clock of that attempt', async () => {
  const peer = await scriptedPeer([httpAnswer(429), httpAnswer(429), httpAnswer(201, {})]);
  let now = noon;
  const wait = async () => {
    now += 61_000;
  };
  const { transport } = openClient(peer, { retries: 3, clock: () => now, wait });
  const body = Buffer.from('{}');
  await transport.send({ method: 'POST', target: '/teams', body, contentType: 'application/json' });
  const timestamps = peer.requests.map((request) => headerOf(request, 'x-api-timestamp'));
  expect(timestamps).toEqual([0, 61, 122].map((seconds) => String(noon / 1000 + seconds)));
  for (const request of peer.requests) {
    expect(headerOf(request, 'x-api-signature')).toBe(expectedSignature(request));
  }
});

it('refuses an origin on whose way the secret could be read', () => {
  expect(() => openClient({ origin: 'http://api.example.com' })).toThrow('https://');
});

it('refuses all methods but GET on a read-only transport, before anything is sent', async () => {
  const peer = await hostilePeer(() => ok);
  const { transport } = openClient(peer, { readOnly: true });
  for (const method of ['POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'] as const) {
    expect(await failureOf(transport.send({ method, target: '/teams' }))).toMatchObject({
      code: 'config',
      method,
      path: '/teams',
      message: `${method} /teams: not sent, because this client is read-only`,
      hint: 'use another profile or client for changes',
    });
  }
  for (const name of ['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override']) {
    const request = { method: 'GET', target: '/teams', headers: { [name]: 'DELETE' } } as const;
    expect(await failureOf(transport.send(request))).toMatchObject({
      code: 'config',
      message: `GET /teams with ${name}: not sent, because this client is read-only`,
    });
  }
  expect(peer.connections).toBe(0);
  await transport.send({ method: 'GET', target: '/teams' });
  expect(peer.requests.length).toBe(1);
});

// Node.js itself, and so undici, stops at 16 KiB.
it('reads a head of up to 64 KiB', async () => {
  const send = async (kibibytes: number) => {
    const peer = await scriptedPeer([httpAnswer(200, {}, { 'X-Trace': 'x'.repeat(kibibytes * 1024) })]);
    return openClient(peer, { retries: 0 }).transport.send(quotas);
  };
  expect(await send(60)).toMatchObject({ status: 200 });
  await expect(send(70)).rejects.toThrow(/the response is not HTTP.*overflow/i);
});
