import { describe, expect, it } from 'vitest';
import { signedFetch, UsageError } from '../../src/client/index.js';
import { basicAuthorization } from '../../src/signing/index.js';
import { headerOf, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { useService } from '../support/service.js';
import { credential } from './support/open-client.js';

const service = useService();

/** `fetch` with the key of the service. */
const ofService: typeof fetch = (input, init) => {
  const { keyId, secret } = service.server;
  return signedFetch({ keyId, secret })(input, init);
};

const post = { method: 'POST', headers: { 'content-type': 'application/json' } };

describe('signed fetch', () => {
  it('takes a Request, a URL and a query', async () => {
    const { url } = service.server;
    const request = new Request(`${url}/teams`, { ...post, body: '{"name":"a b"}' });
    expect((await ofService(request)).status).toBe(201);
    expect((await ofService(new URL(`${url}/teams?limit=1&x=a%20b`))).status).toBe(200);
    expect((await ofService(`${url}/quotas#top`)).status).toBe(200);
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
});
