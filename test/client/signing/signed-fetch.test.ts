import { readFileSync } from 'node:fs';
import { Agent, Request as UndiciRequest, fetch as undiciFetch } from 'undici';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { signedFetch, signInterceptor, UsageError } from '../../../src/client/index.js';
import { basicAuthorization } from '../../../src/signing/index.js';
import { headerOf, hostilePeer, httpAnswer, scriptedPeer } from '../../support/hostile-peer.js';
import { useService } from '../../support/service.js';
import { credential } from '../support/credential.js';

const service = useService();

/** `fetch` with the key of the service. */
const ofService: typeof fetch = (input, init) => {
  const { keyId, secret } = service.server;
  return signedFetch({ keyId, secret })(input, init);
};

const post = { method: 'POST', headers: { 'content-type': 'application/json' } };

describe('signed fetch', () => {
  it.each([
    ['text', () => '{"name":"Zoë"}'],
    ['a stream', () => new Blob(['{"name":"Zoë"}']).stream()],
  ])('creates with a body that is %s', async (_kind, body) => {
    const answer = await ofService(`${service.server.url}/teams`, { ...post, body: body(), duplex: 'half' });
    expect([answer.status, await answer.json()]).toMatchObject([201, { name: 'Zoë' }]);
  });

  it('takes a Request, a URL and a query', async () => {
    const { url } = service.server;
    const request = new Request(`${url}/teams`, { ...post, body: '{"name":"a b"}' });
    expect((await ofService(request)).status).toBe(201);
    expect((await ofService(new URL(`${url}/teams?limit=1&x=a%20b`))).status).toBe(200);
    expect((await ofService(`${url}/quotas#top`)).status).toBe(200);
  });

  it('sends by the fetch that it is given, or the global one of the time of the call, which msw replaces', async () => {
    const url = 'https://api.example.com/quotas';
    const signed = signedFetch(credential);
    const mock = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('mocked'));
    onTestFinished(() => mock.mockRestore());
    expect(await (await signed(url)).text()).toBe('mocked');
    const fetch: typeof globalThis.fetch = async () => new Response('own');
    expect(await (await signedFetch({ ...credential, fetch })(url)).text()).toBe('own');
  });

  it('replaces authentication that is there, by mode A too', async () => {
    const peer = await scriptedPeer([httpAnswer(200, {})]);
    const headers = { authorization: 'Bearer x', 'x-api-key': 'key_other' };
    await signedFetch({ ...credential, auth: 'basic' })(peer.origin, { headers });
    await signedFetch(credential)(peer.origin, { headers });
    const values = (name: string) => peer.requests.map((request) => headerOf(request, name));
    expect(values('authorization')).toEqual([basicAuthorization(credential), undefined]);
    expect(values('x-api-key')).toEqual([undefined, credential.keyId]);
    expect(values('x-api-signature')).toEqual([undefined, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('follows no redirect, so that no signature goes elsewhere', async () => {
    const other = await scriptedPeer([httpAnswer(200, {})]);
    const peer = await scriptedPeer([httpAnswer(307, {}, { location: other.origin })]);
    const answer = await signedFetch(credential)(peer.origin, { redirect: 'follow' });
    expect([answer.status, other.requests.length]).toEqual([307, 0]);
    await expect(signedFetch(credential)(peer.origin, { redirect: 'error' })).rejects.toThrow('fetch failed');
  });

  it('signs the empty string where a body has no content type', async () => {
    const body = new Uint8Array([1, 2]);
    const { status } = await ofService(`${service.server.url}/teams`, { method: 'POST', body });
    expect(status).not.toBe(401);
  });

  it.each(['http://api.example.com', 'ftp://127.0.0.1'])('refuses %s', async (origin) => {
    const sent = signedFetch(credential)(`${origin}/x`);
    await expect(sent).rejects.toThrow(UsageError);
    await expect(sent).rejects.toThrow(
      `${origin}: signed requests need https://; plain http:// is for loopback hosts only`,
    );
  });

  it('refuses a body over its limit, and sends nothing', async () => {
    const peer = await scriptedPeer([httpAnswer(200, {})]);
    const sent = signedFetch({ ...credential, maxBodyBytes: 8 })(peer.origin, { ...post, body: '123456789' });
    await expect(sent).rejects.toThrow('larger than the 8 bytes');
    expect(peer.connections).toBe(0);
  });

  it('ends when it is aborted, also while a stream does not end', async () => {
    const peer = await scriptedPeer([httpAnswer(200, {})]);
    await expect(signedFetch(credential)(peer.origin, { signal: AbortSignal.abort() })).rejects.toThrow(
      'abort',
    );
    const abort = new AbortController();
    const body = new ReadableStream({ pull: () => abort.abort(new Error('no patience')) });
    const sent = signedFetch(credential)(peer.origin, {
      ...post,
      body,
      duplex: 'half',
      signal: abort.signal,
    });
    await expect(sent).rejects.toThrow('no patience');
    expect(peer.connections).toBe(0);
  });

  it('ends by the signal of a Request, too, while the answer is waited for', async () => {
    const abort = new AbortController();
    const peer = await hostilePeer(() => abort.abort(new Error('no patience')));
    const request = new Request(peer.origin, { signal: abort.signal });
    await expect(signedFetch(credential)(request)).rejects.toThrow('no patience');
    expect(peer.connections).toBe(1);
  });

  it('refuses options that there are not', () => {
    expect(() => Reflect.apply(signedFetch, undefined, [{ ...credential, limit: 1 }])).toThrow('`limit`');
    for (const open of [signedFetch, signInterceptor]) {
      expect(() => Reflect.apply(open, undefined, [])).toThrow(open.name);
    }
  });
});

describe('signed fetch over HTTPS', () => {
  const secure = useService({ http: false });
  const readAnswer = async (answer: { json(): Promise<unknown>; readonly status: number }) => [
    answer.status,
    await answer.json(),
  ];
  const made = [201, expect.objectContaining({ name: 'Zoë' })];

  it('trusts the CA file of the server', async () => {
    const { keyId, secret, url, caFile } = secure.server;
    await expect(signedFetch({ keyId, secret })(`${url}/quotas`)).rejects.toThrow('fetch failed');
    const fetch = signedFetch({ keyId, secret, caFile });
    expect(await readAnswer(await fetch(`${url}/teams`, { ...post, body: '{"name":"Zoë"}' }))).toEqual(made);
    const missing = () => signedFetch({ keyId, secret, caFile: '/nowhere/ca.pem' });
    expect(missing).toThrow('cannot be read');
  });

  it('takes what the fetch takes that sends: a dispatcher and a Request of undici', async () => {
    const { keyId, secret, url, caFile } = secure.server;
    const dispatcher = new Agent({ connect: { ca: readFileSync(String(caFile)) } });
    onTestFinished(() => dispatcher.destroy());
    const fetch = signedFetch({ keyId, secret, fetch: undiciFetch });
    expectTypeOf(fetch).toEqualTypeOf<typeof undiciFetch>();
    expectTypeOf(signedFetch({ keyId, secret })).toEqualTypeOf<typeof globalThis.fetch>();
    const request = new UndiciRequest(`${url}/teams`, { ...post, body: '{"name":"Zoë"}' });
    expect(await readAnswer(await fetch(request, { dispatcher }))).toEqual(made);
    const trusting = signedFetch({ keyId, secret, caFile, fetch: undiciFetch });
    const strict = new Agent();
    onTestFinished(() => strict.destroy());
    await expect(trusting(`${url}/quotas`, { dispatcher: strict })).rejects.toThrow('fetch failed');
  });
});
