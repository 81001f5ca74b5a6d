import { describe, expect, it } from 'vitest';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { failureOf, noon, openClient } from './support/open-client.js';

const body = Buffer.from('{"name":"a"}');
const requests = {
  GET: { method: 'GET', target: '/teams' },
  POST: { method: 'POST', target: '/teams', body, contentType: 'application/json' },
  PATCH: { method: 'PATCH', target: '/teams/team_1', body, contentType: 'application/json' },
  DELETE: { method: 'DELETE', target: '/teams/team_1' },
} as const;
const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const ok = httpAnswer(200, {});
const limited = httpAnswer(429, { statusCode: 429, message: 'Too Many Requests' });

it.each(methods)('429 is repeated for %s, with the same bytes', async (method) => {
  const reset = httpAnswer(429, '', {
    'X-RateLimit-Reset': String(noon / 1000 + 9),
    Date: new Date(noon).toUTCString(),
  });
  const peer = await scriptedPeer([limited, reset, limited, ok]);
  const { transport, waits, notes } = openClient(peer, { retries: 3 });
  expect((await transport.send(requests[method])).status).toBe(200);
  const sent = method === 'GET' || method === 'DELETE' ? '' : '{"name":"a"}';
  expect(peer.requests.map((request) => request.body.toString())).toEqual([sent, sent, sent, sent]);
  expect(waits).toEqual([250, 9000, 1000]);
  expect(notes[2]).toBe('Too Many Requests; retrying in 1s (3 of 3)');
});

describe.each([502, 503, 504])('%i', (status) => {
  it('is repeated for GET, after as long as the service says', async () => {
    const inHalfAMinute = new Date(noon + 30_000).toUTCString();
    const asked = ['9', inHalfAMinute].map((time) => httpAnswer(status, '', { 'Retry-After': time }));
    const peer = await scriptedPeer([httpAnswer(status, '<html>'), ...asked, ok]);
    const { transport, waits } = openClient(peer, { retries: 3 });
    await transport.send(requests.GET);
    expect([peer.requests.length, waits]).toEqual([4, [250, 9000, 30_000]]);
  });

  it.each(['POST', 'PATCH', 'DELETE'] as const)('is not for %s, and can be by nobody', async (method) => {
    const peer = await scriptedPeer([httpAnswer(status)]);
    const failure = { code: 'server', status, retryable: false };
    expect(await failureOf(openClient(peer, { retries: 3 }).transport.send(requests[method]))).toMatchObject(
      failure,
    );
    expect(peer.requests.length).toBe(1);
    const reading = openClient(peer).transport.send(requests.GET);
    expect(await failureOf(reading)).toMatchObject({ status, retryable: true });
  });
});

it.each([400, 401, 403, 404, 408, 425, 500, 501, 505, 507])('does not repeat after %i', async (status) => {
  const peer = await scriptedPeer([httpAnswer(status, '', { 'Retry-After': '1' }), ok]);
  const { transport } = openClient(peer, { retries: 3 });
  expect(await failureOf(transport.send(requests.GET))).toMatchObject({ status });
  expect(peer.requests.length).toBe(1);
});
