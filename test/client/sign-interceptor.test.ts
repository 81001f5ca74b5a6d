import { createHmac } from 'node:crypto';
import { Agent, type Dispatcher, fetch, interceptors } from 'undici';
import * as undici6 from 'undici6';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SignInterceptor, signInterceptor, UsageError } from '../../src/client/index.js';
import { basicAuthorization } from '../../src/signing/index.js';
import { headerOf, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { credential, noon } from './support/open-client.js';

const ok = httpAnswer(200, {});
const quotas = { path: '/quotas', query: { a: 1 }, method: 'GET' } as const;
const text = '{"name":"Zoë"}';

function signatureOf(method: string, target: string, contentType: string, body: string): string {
  const text = `${method}\n${target}\n${noon / 1000}\n${contentType}\n${body}`;
  return createHmac('sha256', credential.secret).update(text).digest('hex');
}

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
    const { statusCode, body } = await dispatcher.request({ origin, ...quotas });
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
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x', 'X-API-SIGNATURE': 'y' };
    expect(await fetchBy(sign, `${peer.origin}/teams?a=1`, { method, body, headers })).toBe(200);
    const [request] = peer.requests;
    const expected =
      body === null
        ? signatureOf(method, '/teams?a=1', '', '')
        : signatureOf(method, '/teams?a=1', 'application/json', text);
    expect(request?.body.toString()).toBe(body === null ? '' : text);
    expect(request && headerOf(request, 'x-api-signature')).toBe(expected);
    expect(request && headerOf(request, 'authorization')).toBeUndefined();
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
    for (const [at, target] of ['/quotas?a=1', '/teams'].entries()) {
      const sent = peer.requests[at];
      expect(sent && headerOf(sent, auth === 'basic' ? 'authorization' : 'x-api-signature')).toBe(
        auth === 'basic' ? basicAuthorization(credential) : signatureOf('GET', target, '', ''),
      );
    }
  });

  it('refuses other origins of the same agent, and a request that names none', async () => {
    const [peer, other] = [await scriptedPeer([ok]), await scriptedPeer([ok])];
    const dispatcher = composed(signInterceptor({ ...credential, origin: peer.origin }));
    expect(await ask({ origin: peer.origin.replace('http:', 'HTTP:') }, dispatcher)).toBe(200);
    for (const origin of [other.origin, peer.origin.replace('127.0.0.1', 'localhost'), 'nowhere']) {
      await expect(ask({ origin }, dispatcher)).rejects.toThrow(UsageError);
    }
    const nameless = Reflect.apply(dispatcher.request, dispatcher, [quotas]);
    await expect(nameless).rejects.toThrow('a request without `origin` was not sent');
    expect(other.connections).toBe(0);
  });
});
