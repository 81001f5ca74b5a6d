import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../src/client/exchange/request.js';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { failureOf, openClient } from './support/open-client.js';

const get = { method: 'GET', target: '/connections?limit=5' } as const;
const post = { method: 'POST', target: '/connections' } as const;

async function refusal(answer: string | Buffer, request: Pick<ApiRequest, 'method' | 'target'> = get) {
  const peer = await scriptedPeer([answer]);
  const failure = await failureOf(openClient(peer).transport.send(request));
  expect(peer.requests.length).toBe(1);
  return failure;
}

const whoami = 'see which key ID is used and where it comes from: orgctl whoami';
const secretOf = 'see where the secret comes from: orgctl whoami';
const signature =
  'most often the secret does not belong to this key ID; see where both come from: orgctl whoami';
const clocks =
  "this machine's clock and the service's differ by more than 5 minutes; to measure the difference: orgctl doctor";
const enable =
  're-enable the key in the management console; on a local server: orgctl local keys enable key_4711';
const credentials = 'remove the second credential: a header that you add, or one that a proxy adds';
const key = 'see which key is used: orgctl whoami';
const waiting = 'wait before retrying; the number of retries and the deadline set how long to keep trying';
const path = 'check the path and the base URL: orgctl whoami';
const byProxy = 'orgctl proxy responded, not the service';
const later = 'the service failed; try again later';

describe('the rows of the error table', () => {
  it.each<readonly [number, string, string, string | undefined]>([
    [401, 'Invalid API key', 'unauthenticated', whoami],
    [401, 'Invalid API key secret', 'unauthenticated', secretOf],
    [401, 'Invalid Basic auth format', 'unauthenticated', key],
    [401, 'Invalid API signature', 'unauthenticated', signature],
    [401, 'Invalid or missing X-API-Timestamp', 'unauthenticated', clocks],
    [403, 'API key is disabled', 'forbidden', enable],
    [400, 'Multiple credentials provided', 'rejected', credentials],
    [429, 'Too Many Requests', 'rate_limited', waiting],
    [403, 'orgctl proxy: this proxy is read-only', 'forbidden', byProxy],
    [502, 'orgctl proxy: connection refused', 'server', byProxy],
    [404, 'Connection not found', 'not_found', path],
    [409, 'Conflict', 'rejected', undefined],
    [418, 'Teapot', 'rejected', undefined],
    [500, 'Internal', 'server', later],
    [999, 'Whatever', 'server', later],
    // Messages that are named like members of every object.
    ...['constructor', '__proto__', 'toString'].map((name) => [403, name, 'forbidden', key] as const),
  ])('%i %s is %s', async (statusCode, message, code, hint) => {
    const failure = await refusal(httpAnswer(statusCode, { statusCode, message }));
    expect(failure).toMatchObject({ code, message, status: statusCode, method: 'GET', path: get.target });
    expect(failure['hint']).toBe(hint);
  });

  it('the quota’s has its figures', async () => {
    const message = 'Quota exceeded: maximum 10 connections allowed per organization (currently: 12)';
    expect(await refusal(httpAnswer(403, { statusCode: 403, message }), post)).toMatchObject({
      code: 'quota_exceeded',
      message,
      quota: { kind: 'connections', limit: 10, used: 12 },
      hint: 'delete a resource to make room; see what is used: orgctl quotas',
      retryable: false,
    });
  });

  it.each([
    [500, 'Internal Server Error'],
    [503, 'Service Unavailable: nothing was changed'],
  ])('says where to look after a %i to a POST, and claims no outcome: %s', async (statusCode, message) => {
    expect(await refusal(httpAnswer(statusCode, { statusCode, message }), post)).toMatchObject({
      ...{ code: 'server', message, retryable: false },
      hint: 'before you repeat it, check now and a minute later whether it was carried out: orgctl connections list --all',
    });
  });
});

describe('the message', () => {
  const returned = 'the service returned 409';
  it.each(['/api-keys', '/api-keys/', '/v1/API%2Dkeys?a=b', '/api-keys/key_1/rotate'])(
    'quotes nothing that may be a new secret, in an answer to POST %s',
    async (target) => {
      const answer = httpAnswer(409, 'is Zq7');
      expect(await refusal(answer, { ...post, target })).toMatchObject({ message: returned });
      expect(await refusal(answer, { ...get, target })).toMatchObject({ message: `${returned}: is Zq7` });
    },
  );
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    '%i is an error naming the location, where nobody goes',
    async (status) => {
      const other = await hostilePeer(() => httpAnswer(200, {}));
      for (const request of [get, post]) {
        const location = `${other.origin}/elsewhere`;
        expect(await refusal(httpAnswer(status, '', { Location: location }), request)).toMatchObject({
          code: 'server',
          status,
          message: `${request.method} ${request.target} returned ${status}, a redirect to ${location}`,
          hint:
            request === post && (status === 302 || status === 303)
              ? 'before you repeat it, check now and a minute later whether it was carried out: orgctl connections list --all'
              : 'redirects are not followed; if the service has moved, change the base URL: orgctl whoami',
          retryable: false,
        });
      }
      expect(other.connections).toBe(0);
    },
  );
});
