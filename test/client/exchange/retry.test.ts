import { describe, expect, it } from 'vitest';
import { httpAnswer, type Peer, scriptedPeer, unusedPort } from '../../support/hostile-peer.js';
import { failureOf, openClient } from '../support/open-client.js';

const body = Buffer.from('{"name":"a"}');
const requests = {
  GET: { method: 'GET', target: '/teams' },
  POST: { method: 'POST', target: '/teams', body, contentType: 'application/json' },
  PATCH: { method: 'PATCH', target: '/teams/team_1', body, contentType: 'application/json' },
  DELETE: { method: 'DELETE', target: '/teams/team_1' },
} as const;
const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const ok = httpAnswer(200, {});
const limited = (headers: Record<string, string> = {}) =>
  httpAnswer(429, { statusCode: 429, message: 'Too Many Requests' }, headers);

describe('429', () => {
  it.each(methods)('is repeated for %s, with the same bytes', async (method) => {
    const peer = await scriptedPeer([limited(), limited(), ok]);
    const { transport, waits, notes } = openClient(peer, { retries: 3 });
    expect((await transport.send(requests[method])).status).toBe(200);
    const sent = method === 'GET' || method === 'DELETE' ? '' : '{"name":"a"}';
    expect(peer.requests.map((request) => request.body.toString())).toEqual([sent, sent, sent]);
    expect(waits).toEqual([250, 500]);
    expect(notes).toEqual([
      'Too Many Requests; retrying in 0.3 s (1 of 3)',
      'Too Many Requests; retrying in 0.5 s (2 of 3)',
    ]);
  });

  it.each([0, 1, 5])('ends after %i further attempts', async (retries) => {
    const peer = await scriptedPeer([limited({ 'Retry-After': '0' })]);
    const failure = { code: 'rate_limited', status: 429, retryable: true, retryAfter: 0 };
    expect(await failureOf(openClient(peer, { retries }).transport.send(requests.POST))).toMatchObject(
      failure,
    );
    expect(peer.requests.length).toBe(1 + retries);
  });
});

describe.each([502, 503, 504])('%i', (status) => {
  it('is repeated for GET, after as long as the service says', async () => {
    const answers = [httpAnswer(status, '<html>'), httpAnswer(status, '', { 'Retry-After': '9' }), ok];
    const peer = await scriptedPeer(answers);
    const { transport, waits } = openClient(peer, { retries: 3 });
    await transport.send(requests.GET);
    expect([peer.requests.length, waits]).toEqual([3, [250, 9000]]);
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

it.each(['GET', 'POST'] as const)('repeats %s once a refused port is open', async (method) => {
  const port = await unusedPort();
  const origin = `http://127.0.0.1:${port}`;
  let peer: Peer | undefined;
  const wait = async () => {
    peer = await scriptedPeer([ok], { port });
  };
  const { transport, notes } = openClient({ origin }, { retries: 3, wait });
  expect((await transport.send(requests[method])).status).toBe(200);
  expect(peer?.requests.length).toBe(1);
  expect(notes).toEqual([`${origin}: the connection was refused; retrying in 0.3 s (1 of 3)`]);
});
