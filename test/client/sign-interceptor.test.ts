import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher, FormData, interceptors } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signInterceptor } from '../../src/client/index.js';
import {
  headerOf,
  httpAnswer,
  type Peer,
  type RecordedRequest,
  scriptedPeer,
} from '../support/hostile-peer.js';
import { credential } from './support/credential.js';
import { noon } from './support/open-client.js';

function openAgent(): Agent {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  return agent;
}

function signingAgent(mode?: 'hmac' | 'basic', clock = () => noon): Dispatcher {
  return openAgent().compose(signInterceptor({ credential, mode, clock }));
}

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method'> & {
  readonly path?: string;
  readonly method?: 'GET' | 'POST';
};

async function send(
  peer: Peer,
  options: RequestOptions,
  dispatcher = signingAgent(),
): Promise<RecordedRequest> {
  const { body } = await dispatcher.request({
    origin: peer.origin,
    path: '/quotas',
    method: 'GET',
    ...options,
  });
  await body.dump();
  const request = peer.requests.at(-1);
  if (request === undefined) throw new Error('nothing was received');
  return request;
}

function signatureOf(method: string, target: string, contentType: string, body: string | Buffer): string {
  const head = `${method}\n${target}\n${noon / 1000}\n${contentType}\n`;
  return createHmac('sha256', credential.secret).update(head).update(body).digest('hex');
}

const ok = httpAnswer(200, {});

describe('with a plain agent, the interceptor', () => {
  it('signs a request without a body', async () => {
    const request = await send(await scriptedPeer([ok]), {});
    expect(headerOf(request, 'x-api-key')).toBe(credential.keyId);
    expect(headerOf(request, 'x-api-timestamp')).toBe(String(noon / 1000));
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('GET', '/quotas', '', ''));
  });

  it.each([
    ['a string', '{"name":"Zoë"}'],
    ['a Buffer', Buffer.from('{"name":"Zoë"}')],
    ['a view of a part of a buffer', new Uint8Array(Buffer.from('xx{"name":"Zoë"}x')).subarray(2, 17)],
  ])('signs a body that is %s', async (_name, body) => {
    const peer = await scriptedPeer([ok]);
    const headers = { 'content-type': 'application/json' };
    const request = await send(peer, { method: 'POST', path: '/teams', body, headers });
    expect(request.body.toString()).toBe('{"name":"Zoë"}');
    expect(headerOf(request, 'x-api-signature')).toBe(
      signatureOf('POST', '/teams', 'application/json', '{"name":"Zoë"}'),
    );
  });

  it.each([
    ['an empty string', ''],
    ['null', null],
    ['an empty Buffer', Buffer.alloc(0)],
  ])('signs the empty string where the body is %s, though a content type is there', async (_name, body) => {
    const peer = await scriptedPeer([ok]);
    const headers = { 'Content-Type': 'application/json' };
    const request = await send(peer, { method: 'POST', body, headers });
    expect(headerOf(request, 'content-type')).toBe('application/json');
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('POST', '/quotas', '', ''));
  });

  it('signs the query option as undici writes it', async () => {
    const query = { a: ['1', '2'], b: 'x y&é+', c: '', d: true, e: 5 };
    const request = await send(await scriptedPeer([ok]), { query });
    const plain = await send(await scriptedPeer([ok]), { query }, openAgent());
    expect(request.target).toBe(plain.target);
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('GET', plain.target, '', ''));
  });

  it.each([
    ['an object', { 'X-One': '1', 'X-Two': ['2', '3'], 'Content-Type': 'text/plain' }],
    ['a flat list', ['X-One', '1', 'X-Two', '2', 'X-Two', '3', 'Content-Type', 'text/plain']],
    [
      'a map',
      new Map<string, string | string[]>([
        ['X-One', '1'],
        ['X-Two', ['2', '3']],
        ['Content-Type', 'text/plain'],
      ]),
    ],
    [
      'a Headers object',
      new Headers([
        ['X-One', '1'],
        ['X-Two', '2'],
        ['X-Two', '3'],
        ['Content-Type', 'text/plain'],
      ]),
    ],
    ['a generator', pairs()],
  ])('takes headers as %s', async (_name, headers) => {
    const request = await send(await scriptedPeer([ok]), { method: 'POST', body: 'text', headers });
    expect([headerOf(request, 'x-one'), headerOf(request, 'x-two')]).toEqual(['1', '2, 3']);
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('POST', '/quotas', 'text/plain', 'text'));
  });

  it('authenticates by mode A where told to, with any body', async () => {
    const peer = await scriptedPeer([ok]);
    const body = Readable.from([Buffer.from('stream')]);
    const headers = { 'content-length': '6' };
    const request = await send(peer, { method: 'POST', body, headers }, signingAgent('basic'));
    const encoded = Buffer.from(`${credential.keyId}:${credential.secret}`).toString('base64');
    expect(headerOf(request, 'authorization')).toBe(`Basic ${encoded}`);
    expect(request.body.toString()).toBe('stream');
    expect(request.headers.some(([name]) => /^x-api-/i.test(name))).toBe(false);
  });

  it('replaces authentication that is there already', async () => {
    const headers = { authorization: 'Bearer x', 'x-api-key': 'key_other', 'X-API-SIGNATURE': 'y' };
    const request = await send(await scriptedPeer([ok]), { headers });
    expect(headerOf(request, 'authorization')).toBeUndefined();
    expect(headerOf(request, 'x-api-key')).toBe(credential.keyId);
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('GET', '/quotas', '', ''));
  });

  it('signs by the system’s clock unless told otherwise', async () => {
    const before = Math.floor(Date.now() / 1000);
    const agent = openAgent().compose(signInterceptor({ credential }));
    const request = await send(await scriptedPeer([ok]), {}, agent);
    const timestamp = Number(headerOf(request, 'x-api-timestamp'));
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
  });

  it('signs each attempt afresh inside a retrying layer', async () => {
    const peer = await scriptedPeer([httpAnswer(503), httpAnswer(503), ok]);
    let now = noon;
    const clock = () => {
      now += 1000;
      return now;
    };
    const retrying = openAgent().compose(
      signInterceptor({ credential, clock }),
      interceptors.retry({ minTimeout: 1, maxTimeout: 1 }),
    );
    await send(peer, {}, retrying);
    const timestamps = peer.requests.map(
      (request) => Number(headerOf(request, 'x-api-timestamp')) - noon / 1000,
    );
    expect(timestamps).toEqual([1, 2, 3]);
    expect(peer.requests.every((request) => headerOf(request, 'x-api-key') === credential.keyId)).toBe(true);
  });
});

describe('the interceptor refuses, before anything is sent,', () => {
  it.each([
    ['a stream', { body: Readable.from(['x']) }],
    ['a form', { body: new FormData() }],
    ['a path with a query and a query option', { path: '/a?b=1', query: { c: '2' } }],
    ['an absolute path', { path: 'http://other.example/a' }],
    ['a path of another host', { path: '//other.example/a' }],
    ['a path that is not percent-encoded', { path: '/é' }],
    ['a fragment', { path: '/a#b' }],
    ['a flat list of headers that is odd', { headers: ['X-One'] }],
  ])('%s', async (_name, options) => {
    const peer = await scriptedPeer([ok]);
    const sent = send(peer, { method: 'POST', ...options });
    await expect(sent).rejects.toThrow(TypeError);
    expect(peer.connections).toBe(0);
  });
});

function* pairs(): Generator<[string, string | string[]]> {
  yield ['X-One', '1'];
  yield ['X-Two', ['2', '3']];
  yield ['Content-Type', 'text/plain'];
}
