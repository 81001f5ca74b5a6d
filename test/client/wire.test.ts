import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { headerOf, httpAnswer, type RecordedRequest, scriptedPeer } from '../support/hostile-peer.js';
import {
  type ClientOptions,
  credential,
  failureOf,
  type OpenClient,
  openClient,
} from './support/open-client.js';

const ok = httpAnswer(200, {});

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

const post = { method: 'POST', target: '/api-keys' } as const;

it.each([
  ['JSON with its own spacing and a final newline', Buffer.from('{ "name" : "ci" }\r\n')],
  ['UTF-8', Buffer.from('{"name":"Zoë 🐘"}')],
  ['bytes that are no UTF-8', Buffer.from([0x00, 0xff, 0xfe, 0x0a, 0x0d])],
  ['large', Buffer.alloc(300_000, 'x')],
])('the body goes out and is signed byte for byte: %s', async (_name, body) => {
  const contentType = 'application/json; charset=utf-8';
  const request = await sent({ ...post, body, contentType });
  expect(request.body.equals(body)).toBe(true);
  expect(headerOf(request, 'content-type')).toBe(contentType);
  expect(headerOf(request, 'content-length')).toBe(String(body.length));
});
