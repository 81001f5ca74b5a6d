import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../src/client/exchange/request.js';
import { ServiceError } from '../../src/errors/errors.js';
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
    ['another status', 400, 'Quota exceeded: maximum 1 teams allowed per organization (currently: 1)'],
    ['other words', 403, 'Quota exceeded: maximum many teams allowed per organization (currently: 1)'],
    ['more words', 403, 'Quota exceeded: maximum 1 teams allowed per organization (currently: 1). Bye'],
  ])('the quota’s is not read into %s', async (_name, statusCode, message) => {
    const failure = await refusal(httpAnswer(statusCode, { statusCode, message }), post);
    expect(failure['code']).toBe(statusCode === 403 ? 'forbidden' : 'rejected');
    expect(failure['quota']).toBeUndefined();
  });

  it.each([
    [400, undefined, undefined],
    [405, undefined, undefined],
    [408, undefined, undefined],
  ])('has a hint only if there is a way out: %i', async (statusCode, toGet, toPost) => {
    const answer = httpAnswer(statusCode, { message: 'no' });
    for (const [request, said] of [
      [get, toGet],
      [post, toPost],
    ] as const) {
      const { code, hint } = await refusal(answer, request);
      expect([code, hint]).toEqual(['rejected', said && expect.stringContaining(said)]);
    }
  });

  it('has the base path in the path that it names', async () => {
    const { api } = openClient(await scriptedPeer([httpAnswer(404)]), { prefix: '/v1' });
    const expected = { code: 'not_found', path: '/v1/teams/team_1' };
    expect(await failureOf(api.teams.get('team_1'))).toMatchObject(expected);
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
  it.each([
    ['a JSON body without one', '{"statusCode":409}', `${returned}: {"statusCode":409}`],
    ['a JSON body with an empty one', '{"message":""}', `${returned}: {"message":""}`],
    ['a JSON body with one that is no text', '{"message":{"a":1}}', `${returned}: {"message":{"a":1}}`],
    ['a JSON body that is no object', '"no"', `${returned}: "no"`],
    ['a JSON body with several', '{"message":["a","b"],"error":"x"}', 'a; b'],
    ['a JSON body with an error', '{"error":"why"}', 'why'],
    ['a JSON body with an error in an object', '{"error":{"message":"why"}}', 'why'],
    ['a JSON body behind a byte order mark', '\ufeff{"message":"why"}', 'why'],
    ['text', 'no such luck\nsecond line', `${returned}: no such luck`],
    ['HTML', '\n<!doctype html>\n<title>No</title>', `${returned}: <!doctype html>`],
    ['nothing', '', returned],
    ['white space', ' \r\n ', returned],
  ])('comes from %s', async (_name, body, message) => {
    expect(await refusal(httpAnswer(409, body))).toMatchObject({ code: 'rejected', message });
  });

  it.each([
    ['\nInvalid API key\r\n', 'lines of text'],
    ['{"error":"Invalid API key"}', 'another shape'],
  ])('is known in %s as well, since the shape is not shown (%s)', async (body) => {
    expect((await refusal(httpAnswer(401, body)))['hint']).toContain('orgctl whoami');
  });

  it.each([
    [{ message: 'x'.repeat(500) }, 'x'.repeat(500)],
    [{ message: 'x'.repeat(501) }, `${'x'.repeat(500)}…`],
    ['x'.repeat(5000), `the service returned 400: ${'x'.repeat(120)}…`],
  ])('is cut where it is long: %#', async (body, message) => {
    expect(await refusal(httpAnswer(400, body))).toMatchObject({ message });
  });

  it.each(['/api-keys', '/api-keys/', '/v1/API%2Dkeys?a=b', '/api-keys/key_1/rotate'])(
    'quotes nothing that may be a new secret, in an answer to POST %s',
    async (target) => {
      const answer = httpAnswer(409, 'is Zq7');
      expect(await refusal(answer, { ...post, target })).toMatchObject({ message: returned });
      expect(await refusal(answer, { ...get, target })).toMatchObject({ message: `${returned}: is Zq7` });
    },
  );

  it('of bytes that are no UTF-8, and so no JSON, is shown as far as it can be', async () => {
    const body = Buffer.from('{"message":"n\u00ff"}', 'latin1');
    const head = Buffer.from(`HTTP/1.1 400 Bad\r\nContent-Length: ${body.length}\r\n\r\n`);
    const message = 'the service returned 400: {"message":"n\ufffd"}';
    expect(await refusal(Buffer.concat([head, body]))).toMatchObject({ message });
  });
});

it('has the answer behind it, which is not shown with it', async () => {
  const peer = await scriptedPeer([httpAnswer(409, 'a\nwhole page')]);
  const error: unknown = await openClient(peer).transport.send(get).catch(Object);
  if (!(error instanceof ServiceError)) throw error;
  expect([error.answer?.status, error.answer?.body.toString()]).toEqual([409, 'a\nwhole page']);
  expect(String(error)).toBe('ServiceError: the service returned 409: a');
  expect(inspect(error)).not.toContain('whole page');
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

  it.each([300, 304, 305, 399])('%i without a location is an error too', async (status) => {
    const message = `GET ${get.target} returned ${status}`;
    expect(await refusal(httpAnswer(status, ''))).toMatchObject({ code: 'server', message });
  });

  it('to a location without end is cut', async () => {
    const failure = await refusal(httpAnswer(302, '', { Location: '/x'.repeat(2500) }));
    expect(failure['message']).toBe(`GET ${get.target} returned 302, a redirect to ${'/x'.repeat(150)}…`);
  });
});
