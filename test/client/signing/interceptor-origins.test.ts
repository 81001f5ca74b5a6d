import { Readable } from 'node:stream';
import { Agent, type Dispatcher, FormData, interceptors } from 'undici';
import * as undici6 from 'undici6';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signInterceptor } from '../../../src/client/signing/sign-interceptor.js';
import { UsageError } from '../../../src/errors/errors.js';
import { basicAuthorization } from '../../../src/signing/basic/basic.js';
import { headerOf, httpAnswer, scriptedPeer } from '../../support/hostile-peer.js';
import { credential } from '../support/credential.js';
import { noon } from '../support/open-client.js';
import { send, signatureOf, signingAgent } from '../support/signing-agent.js';

const ok = httpAnswer(200, {});

const versions = [
  { version: 'undici 6', open: () => new undici6.Agent(), redirect: undici6.interceptors.redirect },
  { version: 'undici 7', open: () => new Agent(), redirect: interceptors.redirect },
] as const;

describe.each(versions)('with several origins and $version, the interceptor', ({ open, redirect }) => {
  function composed(...layers: readonly unknown[]): Dispatcher {
    const agent = open();
    onTestFinished(() => agent.destroy());
    return Reflect.apply(agent.compose, agent, [layers]);
  }

  async function ask({ origin }: { readonly origin: string }, dispatcher: Dispatcher): Promise<number> {
    const { statusCode, body } = await dispatcher.request({ origin, path: '/quotas', method: 'GET' });
    await body.dump();
    return statusCode;
  }

  const bound = { hint: expect.stringContaining('use a separate interceptor') };

  it.each(['hmac', 'basic'] as const)('signs no redirect to another origin by %s', async (auth) => {
    const other = await scriptedPeer([ok]);
    const peer = await scriptedPeer([httpAnswer(307, '', { Location: `${other.origin}/quotas` })]);
    const { origin } = peer;
    const sign = signInterceptor({ ...credential, origin, auth });
    const follow = redirect({ maxRedirections: 3 });
    await expect(ask(peer, composed(sign, follow))).rejects.toMatchObject({
      message: `a request to ${other.origin} was not sent: requests are signed for ${origin} only`,
      details: bound,
    });
    expect(await ask(peer, composed(follow, sign))).toBe(307);
    expect(other.connections).toBe(0);
  });

  it.each(['hmac', 'basic'] as const)('signs a redirect to the same origin anew by %s', async (auth) => {
    const peer = await scriptedPeer([httpAnswer(307, '', { Location: '/teams' }), ok]);
    const sign = signInterceptor({ ...credential, origin: peer.origin, auth, clock: () => noon });
    expect(await ask(peer, composed(sign, redirect({ maxRedirections: 3 })))).toBe(200);
    const [, second] = peer.requests;
    expect(second?.target).toBe('/teams');
    const name = auth === 'basic' ? 'authorization' : 'x-api-signature';
    expect(second && headerOf(second, name)).toBe(
      auth === 'basic' ? basicAuthorization(credential) : signatureOf('GET', '/teams', '', ''),
    );
  });

  it('refuses other origins of the same agent, and a request that names none', async () => {
    const [peer, other] = [await scriptedPeer([ok]), await scriptedPeer([ok])];
    const dispatcher = composed(signInterceptor({ ...credential, origin: peer.origin }));
    expect(await ask(peer, dispatcher)).toBe(200);
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
    const agent = Reflect.construct(open().constructor, [{ maxRedirections: 3 }]);
    onTestFinished(() => agent.destroy());
    const sign = signInterceptor({ ...credential, origin: peer.origin });
    expect(await ask(peer, agent.compose(sign))).toBe(302);
    expect(other.connections).toBe(0);
  });
});

describe('the interceptor refuses as its origin', () => {
  it.each([
    ['nothing', undefined, '`origin`'],
    ['plain HTTP to another machine', 'http://api.example.com', 'must begin with https://'],
    ['a path', 'https://api.example.com/v1', 'must not have a path (/v1)'],
    ['a credential', 'https://key_1:secret@api.example.com', 'must not hold a user name'],
  ])('%s', (_name, origin, message) => {
    expect(() => Reflect.apply(signInterceptor, undefined, [{ ...credential, origin }])).toThrow(message);
  });
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
    ['a path that is not percent-encoded', { path: '/é' }, badPath],
    ['a fragment', { path: '/a#b' }, badPath],
    ['a flat list of headers that is odd', { headers: ['X-One'] }, 'a value for each name'],
    ['a list of headers that are no pairs', { headers: [['X-One', '1', '2']] }, 'pairs of name and value'],
    ['a set of headers', { headers: new Set(['ab']) }, 'pairs of name and value'],
  ])('%s', async (_name, options, message) => {
    const peer = await scriptedPeer([ok]);
    const agent = signingAgent(peer, { maxBodyBytes: 8 });
    const sent = Reflect.apply(send, undefined, [peer, { method: 'POST', ...options }, agent]);
    const failure: unknown = await sent.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({
      message: expect.stringContaining(message),
      details: message === tooLong ? { hint: 'the option `maxBodyBytes` allows more' } : {},
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
