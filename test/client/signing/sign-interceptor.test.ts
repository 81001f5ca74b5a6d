import { Readable } from 'node:stream';
import { Agent, type Dispatcher, fetch, interceptors } from 'undici';
import * as undici6 from 'undici6';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInterceptor, signInterceptor, UsageError } from '../../../src/client/index.js';
import { basicAuthorization } from '../../../src/signing/index.js';
import { headerOf, httpAnswer, type Peer, scriptedPeer } from '../../support/hostile-peer.js';
import { credential } from '../support/credential.js';
import { noon } from '../support/open-client.js';
import { send, signatureOf } from '../support/signing-agent.js';

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
});
