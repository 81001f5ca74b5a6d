import { Readable } from 'node:stream';
import { Agent, type Dispatcher, FormData, fetch, interceptors } from 'undici';
import * as undici6 from 'undici6';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInterceptor, signInterceptor, UsageError } from '../../../src/client/index.js';
import { basicAuthorization } from '../../../src/signing/index.js';
import { headerOf, httpAnswer, type Peer, scriptedPeer } from '../../support/hostile-peer.js';
import { credential } from '../support/credential.js';
import { noon } from '../support/open-client.js';
import { openAgent, send, signatureOf, signingAgent } from '../support/signing-agent.js';

const ok = httpAnswer(200, {});
const text = '{"name":"Zoë"}';
const within = new Uint8Array(Buffer.from(`xx${text}x`));

/** Also with options that are not in the types of undici. */
async function sendTo(peer: Peer, options: object, agent?: Dispatcher): ReturnType<typeof send> {
  return Reflect.apply(send, undefined, [peer, options, ...(agent === undefined ? [] : [agent])]);
}

describe('with a plain agent, the interceptor', () => {
  it.each([
    ['a string', text],
    ['a view of a part of a buffer', within.subarray(2, 17)],
    ['a stream of text and bytes', Readable.from(['{"name":', Buffer.from('"Zoë"}')])],
    ['a list of text and bytes', ['{"name":', Buffer.from('"Zoë"}')]],
    ['an ArrayBuffer', Uint8Array.from(Buffer.from(text)).buffer],
    ['a DataView', new DataView(within.buffer, 2, 15)],
    ['a Blob', new Blob(['{"name":', '"Zoë"}'])],
  ])('signs a body that is %s', async (_name, body) => {
    const headers = { 'content-type': 'application/json' };
    const request = await sendTo(await scriptedPeer([ok]), { method: 'POST', path: '/teams', body, headers });
    expect(request.body.toString()).toBe(text);
    expect(headerOf(request, 'x-api-key')).toBe(credential.keyId);
    expect(headerOf(request, 'x-api-timestamp')).toBe(String(noon / 1000));
    expect(headerOf(request, 'x-api-signature')).toBe(
      signatureOf('POST', '/teams', 'application/json', text),
    );
  });

  it.each([
    ['an empty string, though a content type is there', { method: 'POST', body: '' }, 'POST', ''],
    ['null', { method: 'POST', body: null }, 'POST', ''],
    ['no bytes', { method: 'POST', body: Buffer.alloc(0) }, 'POST', ''],
    ['text without a content type', { method: 'POST', body: 'text', headers: {} }, 'POST', 'text'],
    ['not there, and headers are null', { headers: null }, 'GET', ''],
    ['not there, and headers are undefined', { headers: undefined }, 'GET', ''],
  ])('signs the empty string for the type where the body is %s', async (_name, options, method, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const request = await sendTo(await scriptedPeer([ok]), { headers, ...options });
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf(method, '/quotas', '', body));
  });

  it('signs the query option as undici writes it', async () => {
    const query = { a: ['1', '2'], b: 'x y&é+', c: '', d: true, e: 5 };
    const request = await send(await scriptedPeer([ok]), { query });
    const plain = await send(await scriptedPeer([ok]), { query }, openAgent());
    expect(request.target).toBe(plain.target);
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('GET', plain.target, '', ''));
  });

  const flat = ['X-One', '1', 'X-Two', '2', 'X-Two', '3', 'Content-Type', 'text/plain'];
  const pairs: [string, string | string[]][] = [
    ['X-One', '1'],
    ['X-Two', ['2', '3']],
    ['Content-Type', 'text/plain'],
  ];

  it.each([
    ['an object', { 0: 'x', 'X-No': undefined, ...Object.fromEntries(pairs) }],
    ['a flat list', flat],
    ['a map', new Map(pairs)],
    ['a Headers object', new Headers(pairs.flatMap(([name, of]) => [of].flat().map((one) => [name, one])))],
    ['an iterator', pairs.values()],
    ['a list of pairs', pairs],
  ])('takes headers as %s', async (_name, headers) => {
    const options = { method: 'POST', body: 'text', headers };
    const request = await sendTo(await scriptedPeer([ok]), options);
    expect([headerOf(request, 'x-one'), headerOf(request, 'x-two')]).toEqual(['1', '2, 3']);
    expect(headerOf(request, 'x-no')).toBeUndefined();
    expect(headerOf(request, 'x-api-signature')).toBe(signatureOf('POST', '/quotas', 'text/plain', 'text'));
  });

  it('authenticates by mode A where told to, with any body', async () => {
    const peer = await scriptedPeer([ok]);
    const body = Readable.from([Buffer.from('stream')]);
    const options = { method: 'POST', body, headers: { 'content-length': '6', 'X-API-Key': 'key_other' } };
    const request = await sendTo(peer, options, signingAgent(peer, { auth: 'basic' }));
    expect(headerOf(request, 'authorization')).toBe(basicAuthorization(credential));
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
});

const versions = [
  { name: 'undici 6', Own: undici6.Agent, fetch: undici6.fetch, redirect: undici6.interceptors.redirect },
  { name: 'undici 7', Own: Agent, fetch, redirect: interceptors.redirect },
] as const;

describe.each(versions)('with $name, the interceptor', ({ Own, fetch, redirect }) => {
  function composed(...layers: readonly unknown[]): Dispatcher {
    const agent = new Own();
    onTestFinished(() => agent.destroy());
    return Reflect.apply(agent.compose, agent, [layers]);
  }

  async function fetchBy(sign: SignInterceptor, url: string, init: object): Promise<number> {
    const options = { ...init, duplex: 'half', dispatcher: composed(sign) };
    return (await Reflect.apply(fetch, undefined, [url, options])).status;
  }

  async function ask({ origin }: { readonly origin: string }, dispatcher: Dispatcher): Promise<number> {
    const { statusCode, body } = await dispatcher.request({ origin, path: '/quotas', method: 'GET' });
    await body.dump();
    return statusCode;
  }

  it.each([
    ['POST', 'text', text],
    ['POST', 'a stream', new Blob([text]).stream()],
    ['DELETE', 'nothing', null],
  ])('signs %s of %s by fetch', async (method, _kind, body) => {
    const peer = await scriptedPeer([ok]);
    const sign = signInterceptor({ ...credential, origin: peer.origin, clock: () => noon });
    const headers = { 'content-type': 'application/json' };
    expect(await fetchBy(sign, `${peer.origin}/teams?a=1`, { method, body, headers })).toBe(200);
    const [request] = peer.requests;
    const expected =
      body === null
        ? signatureOf(method, '/teams?a=1', '', '')
        : signatureOf(method, '/teams?a=1', 'application/json', text);
    expect(request?.body.toString()).toBe(body === null ? '' : text);
    expect(request && headerOf(request, 'x-api-signature')).toBe(expected);
  });

  it('sends nothing when a fetch is aborted while its body is gathered, or the body is too large', async () => {
    const peer = await scriptedPeer([ok]);
    const sign = signInterceptor({ ...credential, origin: peer.origin, maxBodyBytes: 100 });
    const abort = new AbortController();
    const body = new ReadableStream({
      pull(stream) {
        stream.enqueue(Buffer.from('x'));
        stream.close();
        abort.abort();
      },
    });
    const { signal } = abort;
    await expect(fetchBy(sign, peer.origin, { method: 'POST', body, signal })).rejects.toThrow('abort');
    const large = fetchBy(sign, peer.origin, { method: 'POST', body: 'x'.repeat(101) });
    await expect(large).rejects.toMatchObject({
      cause: { message: expect.stringContaining('larger than the 100 bytes') },
    });
    expect(peer.requests).toEqual([]);
  });

  it.each(['hmac', 'basic'] as const)('signs redirects to its own origin only, anew, by %s', async (auth) => {
    const other = await scriptedPeer([ok]);
    const away = await scriptedPeer([httpAnswer(307, '', { Location: `${other.origin}/quotas` })]);
    const sign = signInterceptor({ ...credential, origin: away.origin, auth });
    const follow = redirect({ maxRedirections: 3 });
    await expect(ask(away, composed(sign, follow))).rejects.toMatchObject({
      message: `a request to ${other.origin} was not sent: requests are signed for ${away.origin} only`,
      details: { hint: expect.stringContaining('use a separate interceptor') },
    });
    expect(await ask(away, composed(follow, sign))).toBe(307);
    expect(other.connections).toBe(0);
    const peer = await scriptedPeer([httpAnswer(307, '', { Location: '/teams' }), ok]);
    const own = signInterceptor({ ...credential, origin: peer.origin, auth, clock: () => noon });
    expect(await ask(peer, composed(own, follow))).toBe(200);
    const [, second] = peer.requests;
    expect(second && headerOf(second, auth === 'basic' ? 'authorization' : 'x-api-signature')).toBe(
      auth === 'basic' ? basicAuthorization(credential) : signatureOf('GET', '/teams', '', ''),
    );
  });

  it('refuses other origins of the same agent, and a request that names none', async () => {
    const [peer, other] = [await scriptedPeer([ok]), await scriptedPeer([ok])];
    const dispatcher = composed(signInterceptor({ ...credential, origin: peer.origin }));
    expect(await ask({ origin: peer.origin.replace('http:', 'HTTP:') }, dispatcher)).toBe(200);
    for (const origin of [other.origin, peer.origin.replace('127.0.0.1', 'localhost'), 'nowhere']) {
      await expect(ask({ origin }, dispatcher)).rejects.toThrow(UsageError);
    }
    const nameless = Reflect.apply(dispatcher.request, dispatcher, [{ path: '/quotas', method: 'GET' }]);
    await expect(nameless).rejects.toThrow('a request without `origin` was not sent');
    expect(other.connections).toBe(0);
  });

  it('follows none by the agent’s own setting either', async () => {
    const other = await scriptedPeer([ok]);
    const peer = await scriptedPeer([httpAnswer(302, '', { Location: other.origin })]);
    const agent = Reflect.construct(Own, [{ maxRedirections: 3 }]);
    onTestFinished(() => agent.destroy());
    expect(await ask(peer, agent.compose(signInterceptor({ ...credential, origin: peer.origin })))).toBe(302);
    expect(other.connections).toBe(0);
  });
});

it.each([
  ['nothing', undefined, '`origin`'],
  ['plain HTTP to another machine', 'http://api.example.com', 'must begin with https://'],
  ['a path', 'https://api.example.com/v1', 'must not have a path (/v1)'],
  ['a credential', 'https://key_1:secret@api.example.com', 'must not contain a user name'],
])('the interceptor refuses as its origin %s', (_name, origin, message) => {
  expect(() => Reflect.apply(signInterceptor, undefined, [{ ...credential, origin }])).toThrow(message);
});

const tooLong = 'the body is larger than the 8 bytes that can be buffered for signing';
const noBytes = 'only bytes can be signed: pass a string, bytes, a Blob, or a stream';
const badPath = 'the path must begin with a single slash and be percent-encoded';

/** An iterator of text without end, which has no way to end it. */
const endless = () => ({ next: async () => ({ done: false, value: 'and so on' }) });

describe('the interceptor refuses, before anything is sent,', () => {
  it.each([
    ['a stream that is too long', { body: Readable.from([Buffer.alloc(8), 'x']) }, tooLong],
    ['what is too long and cannot be told to end', { body: { [Symbol.asyncIterator]: endless } }, tooLong],
    ['a stream of other things than bytes', { body: Readable.from([{ x: 1 }]) }, noBytes],
    ['a form', { body: new FormData() }, noBytes],
    ['a number', { body: 42 }, noBytes],
    ['an object', { body: { name: 'x' } }, noBytes],
    ['a path with a query and a query option', { path: '/a?b=1', query: { c: '2' } }, 'a path with a query'],
    ['an absolute path', { path: 'http://other.example/a' }, badPath],
    ['a path of another host', { path: '//other.example/a' }, badPath],
  ])('%s', async (_name, options, message) => {
    const peer = await scriptedPeer([ok]);
    const sent = sendTo(peer, { method: 'POST', ...options }, signingAgent(peer, { maxBodyBytes: 8 }));
    const failure: unknown = await sent.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({
      message: expect.stringContaining(message),
      details: message === tooLong ? { hint: 'to allow more, raise `maxBodyBytes`' } : {},
    });
    expect(peer.connections).toBe(0);
  });

  it('no stream that is as long as it may be', async () => {
    const peer = await scriptedPeer([ok]);
    const agent = signingAgent(peer, { maxBodyBytes: 8 });
    const request = await send(peer, { method: 'POST', body: Readable.from(['1234', '5678']) }, agent);
    expect(request.body.toString()).toBe('12345678');
  });
});
