import { Readable } from 'node:stream';
import { Agent, type BodyInit, fetch, interceptors, type RequestInit } from 'undici';
import * as undici6 from 'undici6';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInterceptor, signInterceptor } from '../../../src/client/signing/sign-interceptor.js';
import { UsageError } from '../../../src/errors/errors.js';
import { headerOf, httpAnswer, type RecordedRequest, scriptedPeer } from '../../support/hostile-peer.js';
import { credential } from '../support/credential.js';
import { noon } from '../support/open-client.js';
import { openAgent, send, signatureOf, signingAgent } from '../support/signing-agent.js';

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
    ['a stream', Readable.from([Buffer.from('{"name":'), Buffer.from('"Zoë"}')])],
    ['a stream of text', Readable.from(['{"name":', '"Zoë"}'])],
    ['a list of text and bytes', ['{"name":', Buffer.from('"Zoë"}')]],
    ['an ArrayBuffer', Uint8Array.from(Buffer.from('{"name":"Zoë"}')).buffer],
    ['a DataView', new DataView(Uint8Array.from(Buffer.from('xx{"name":"Zoë"}x')).buffer, 2, 15)],
    ['a Blob', new Blob(['{"name":', '"Zoë"}'])],
  ])('signs a body that is %s', async (_name, body) => {
    const peer = await scriptedPeer([ok]);
    const headers = { 'content-type': 'application/json' };
    // Not all of these are in the types of undici, as which it takes them.
    const options = { method: 'POST', path: '/teams', body, headers };
    const request = await Reflect.apply(send, undefined, [peer, options]);
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

  it.each([null, undefined])('takes %s for no headers', async (headers) => {
    const options = { method: 'GET', headers };
    const request = await Reflect.apply(send, undefined, [await scriptedPeer([ok]), options]);
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('GET', '/quotas', '', ''));
  });

  it('asks for no pause when a body has yet to be gathered, and tells each kind of handler of its failure', async () => {
    const told: unknown[] = [];
    const origin = 'https://api.example.com';
    const handlers = [
      { onResponseError: (_controller: unknown, error: unknown) => told.push(error) },
      { onError: (error: unknown) => told.push(error) },
      {},
    ];
    const dispatch = signInterceptor({ ...credential, origin })(() => true);
    for (const handler of handlers) {
      const options = { origin, method: 'POST', path: '/teams', body: Readable.from([{ x: 1 }]) };
      expect(Reflect.apply(dispatch, undefined, [options, handler])).toBe(true);
    }
    await expect.poll(() => told).toEqual([expect.any(UsageError), expect.any(UsageError)]);
  });

  it('signs the query option as undici writes it', async () => {
    const query = { a: ['1', '2'], b: 'x y&é+', c: '', d: true, e: 5 };
    const request = await send(await scriptedPeer([ok]), { query });
    const plain = await send(await scriptedPeer([ok]), { query }, openAgent());
    expect(request.target).toBe(plain.target);
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('GET', plain.target, '', ''));
  });

  it.each([
    [
      'an object',
      { 0: 'x', 'X-One': '1', 'X-Two': ['2', '3'], 'X-No': undefined, 'Content-Type': 'text/plain' },
    ],
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
    ['a list of pairs', [...pairs()]],
  ])('takes headers as %s', async (_name, headers) => {
    const options = { method: 'POST', body: 'text', headers };
    const request = await Reflect.apply(send, undefined, [await scriptedPeer([ok]), options]);
    expect([headerOf(request, 'x-one'), headerOf(request, 'x-two')]).toEqual(['1', '2, 3']);
    expect(headerOf(request, 'x-no')).toBeUndefined();
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('POST', '/quotas', 'text/plain', 'text'));
  });

  it('signs the empty string where a body has no content type', async () => {
    const request = await send(await scriptedPeer([ok]), { method: 'POST', body: 'text' });
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('POST', '/quotas', '', 'text'));
  });

  it('authenticates by mode A where told to, with any body', async () => {
    const peer = await scriptedPeer([ok]);
    const body = Readable.from([Buffer.from('stream')]);
    const headers = { 'content-length': '6' };
    const request = await send(
      peer,
      { method: 'POST', body, headers },
      signingAgent(peer, { auth: 'basic' }),
    );
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
    const peer = await scriptedPeer([ok]);
    const request = await send(peer, {}, signingAgent(peer, { clock: undefined }));
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
      signInterceptor({ ...credential, origin: peer.origin, clock }),
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

/** A version's own `fetch`, over a dispatcher of its own that signs. */
function openingBy<Own extends { destroy(): Promise<void> }>(
  ownFetch: (url: string, init: never) => Promise<{ readonly status: number }>,
  agent: () => Own,
  compose: (agent: Own, sign: SignInterceptor) => unknown,
) {
  return (sign: SignInterceptor) => {
    const own = agent();
    onTestFinished(() => own.destroy());
    const dispatcher = compose(own, sign);
    return (url: string, init: RequestInit) => ownFetch(url, { ...init, dispatcher } as never);
  };
}

describe.each([
  [
    'undici 6',
    openingBy(
      undici6.fetch,
      () => new undici6.Agent(),
      (agent, sign) => agent.compose(sign),
    ),
  ],
  [
    'undici 7',
    openingBy(
      fetch,
      () => new Agent(),
      (agent, sign) => agent.compose(sign),
    ),
  ],
])('with fetch of %s, the interceptor', (_name, open) => {
  const json = { 'content-type': 'application/json' };

  async function sent(body: BodyInit | null, method = 'POST', maxBodyBytes = 100): Promise<RecordedRequest> {
    const peer = await scriptedPeer([ok]);
    const send = open(
      signInterceptor({ ...credential, origin: peer.origin, clock: () => noon, maxBodyBytes }),
    );
    const headers = body === null ? {} : json;
    const { status } = await send(`${peer.origin}/teams?a=1`, { method, body, headers, duplex: 'half' });
    expect(status).toBe(200);
    const [request] = peer.requests;
    if (request === undefined) throw new Error('nothing was received');
    return request;
  }

  it.each([
    ['text', '{"name":"Zoë"}'],
    ['bytes', new Uint8Array(Buffer.from('{"name":"Zoë"}'))],
    ['a Blob', new Blob(['{"name":', '"Zoë"}'])],
    ['a stream', new Blob(['{"name":"Zoë"}']).stream()],
  ])('signs a POST of %s', async (_kind, body) => {
    const request = await sent(body);
    expect(request.body.toString()).toBe('{"name":"Zoë"}');
    expect(headerOf(request, 'x-api-signature')).toBe(
      signatureOf('POST', '/teams?a=1', 'application/json', '{"name":"Zoë"}'),
    );
  });

  it('signs what has no body', async () => {
    const request = await sent(null, 'DELETE');
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('DELETE', '/teams?a=1', '', ''));
  });

  it('refuses a body over the limit, which it names', async () => {
    const failure = await sent('x'.repeat(101)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ cause: expect.any(UsageError) });
    expect(String(failure instanceof Error && failure.cause)).toContain('larger than the 100 bytes');
  });

  it('sends nothing when the request is aborted while its body is gathered', async () => {
    const peer = await scriptedPeer([ok]);
    const send = open(signInterceptor({ ...credential, origin: peer.origin }));
    const abort = new AbortController();
    const body = new ReadableStream({
      pull(stream) {
        stream.enqueue(Buffer.from('x'));
        stream.close();
        abort.abort();
      },
    });
    const { signal } = abort;
    await expect(send(peer.origin, { method: 'POST', body, duplex: 'half', signal })).rejects.toThrow(
      'abort',
    );
    expect(peer.requests).toEqual([]);
  });
});

function* pairs(): Generator<[string, string | string[]]> {
  yield ['X-One', '1'];
  yield ['X-Two', ['2', '3']];
  yield ['Content-Type', 'text/plain'];
}
