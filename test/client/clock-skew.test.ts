import { describe, expect, it } from 'vitest';
import { clockSkew } from '../../src/client/answers/time-headers.js';
import {
  headerOf,
  hostilePeer,
  httpAnswer,
  type RecordedRequest,
  scriptedPeer,
} from '../support/hostile-peer.js';
import { holdTimers } from './support/hold-timers.js';
import { failureOf, noon, openClient } from './support/open-client.js';

const get = { method: 'GET', target: '/quotas' } as const;
const message = 'Invalid or missing X-API-Timestamp';
const hour = 3_600_000;

function refusalAt(milliseconds: number, headers: Record<string, string> = {}): string {
  const date = { Date: new Date(milliseconds).toUTCString() };
  return httpAnswer(401, { statusCode: 401, message }, { ...date, ...headers });
}

function toTimestamp(request: RecordedRequest | undefined): number {
  return Number(request && headerOf(request, 'x-api-timestamp')) * 1000;
}

/** A service whose clock is that far ahead, and which refuses timestamps more than 5 minutes from it. */
function skewedService(ahead: () => number) {
  return hostilePeer((request) =>
    Math.abs(toTimestamp(request) - noon - ahead()) > 300_000
      ? refusalAt(noon + ahead())
      : httpAnswer(200, {}),
  );
}

describe('a refused timestamp', () => {
  it.each([
    [hour, "the service's clock is 3600 s ahead of this machine's; signing with the service's clock"],
    [-hour, "the service's clock is 3600 s behind this machine's; signing with the service's clock"],
    [24 * hour, "the service's clock is 86400 s ahead of this machine's; signing with the service's clock"],
  ])('is signed again by the service’s clock: %i ms', async (ahead, note) => {
    const peer = await skewedService(() => ahead);
    const { transport, notes, waits } = openClient(peer);
    expect((await transport.send(get)).status).toBe(200);
    expect(peer.requests.map(toTimestamp)).toEqual([noon, noon + ahead]);
    expect([notes, waits]).toEqual([[note], []]);
  });

  it('is signed again where the clocks differ by more than Date, which counts seconds, may be wrong', async () => {
    const peer = await scriptedPeer([refusalAt(noon + 2000), httpAnswer(200, {})]);
    await openClient(peer).transport.send(get);
    expect(peer.requests.map(toTimestamp)).toEqual([noon, noon + 2000]);
  });

  it('is for any method, and with the same body', async () => {
    const peer = await skewedService(() => hour);
    const body = Buffer.from('{"name":"a"}');
    const post = { method: 'POST', target: '/teams', body, contentType: 'application/json' } as const;
    await openClient(peer).transport.send(post);
    expect(peer.requests.map((request) => request.body.toString())).toEqual(['{"name":"a"}', '{"name":"a"}']);
  });

  it('is corrected anew when the service’s clock moves', async () => {
    let ahead = hour;
    const peer = await skewedService(() => ahead);
    const { transport, notes } = openClient(peer);
    await transport.send(get);
    ahead = -hour;
    await transport.send(get);
    ahead = 0;
    await transport.send(get);
    expect(peer.requests.map(toTimestamp)).toEqual([0, hour, hour, -hour, -hour, 0].map((by) => noon + by));
    expect(notes).toEqual(
      ['3600 s ahead of', '3600 s behind', '0 s ahead of'].map(
        (what) => `the service's clock is ${what} this machine's; signing with the service's clock`,
      ),
    );
  });

  it('is corrected for each of several requests at once, and noted once', async () => {
    const peer = await skewedService(() => hour);
    const { transport, notes } = openClient(peer);
    const answers = await Promise.all(Array.from({ length: 5 }, () => transport.send(get)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(notes.length).toBe(1);
  });

  it('is no retry: the second attempt has its own retries', async () => {
    const peer = await scriptedPeer([refusalAt(noon + hour), httpAnswer(429), httpAnswer(200, {})]);
    const { transport, waits } = openClient(peer, { retries: 1 });
    await transport.send(get);
    expect(waits).toEqual([250]);
    expect(peer.requests.map(toTimestamp)).toEqual([noon, noon + hour, noon + hour]);
  });

  it('is an error when the corrected one is refused too', async () => {
    const peer = await scriptedPeer([refusalAt(noon + hour)]);
    const { transport, notes } = openClient(peer, { retries: 3 });
    expect(await failureOf(transport.send(get))).toMatchObject({ code: 'unauthenticated', message });
    expect(peer.requests.length).toBe(2);
    expect(await failureOf(transport.send(get))).toMatchObject({ code: 'unauthenticated' });
    expect(peer.requests.length).toBe(3);
    expect(notes.length).toBe(1);
  });

  it.each([
    ['more than 24 hours away', refusalAt(noon + 24 * hour + 1000)],
    ['more than 24 hours back', refusalAt(noon - 24 * hour - 1000)],
    ['absent', httpAnswer(401, { message })],
    ['no date', refusalAt(noon, { Date: 'yesterday' })],
    ['a number', refusalAt(noon, { Date: String(noon + hour) })],
    ['of our own time, so that another signature cannot help', refusalAt(noon)],
    ['of nearly our own time', refusalAt(noon + 1000)],
  ])('is an error where the date is %s', async (_name, answer) => {
    const peer = await scriptedPeer([answer]);
    const { transport, notes } = openClient(peer);
    expect(await failureOf(transport.send(get))).toMatchObject({
      code: 'unauthenticated',
      hint: expect.stringContaining('clocks'),
    });
    expect([peer.requests.length, notes]).toEqual([1, []]);
  });

  it.each([
    [
      'another message',
      httpAnswer(401, { message: 'Invalid API signature' }, { Date: new Date(noon + hour).toUTCString() }),
    ],
    ['another status', httpAnswer(403, { message }, { Date: new Date(noon + hour).toUTCString() })],
  ])('is not seen in %s', async (_name, answer) => {
    const peer = await scriptedPeer([answer]);
    await failureOf(openClient(peer).transport.send(get));
    expect(peer.requests.length).toBe(1);
  });

  it('is nothing to correct in basic mode', async () => {
    const peer = await scriptedPeer([refusalAt(noon + hour)]);
    await failureOf(openClient(peer, { auth: 'basic' }).transport.send(get));
    expect(peer.requests.length).toBe(1);
  });

  it('leaves the corrected attempt no more than the deadline', async () => {
    const peer = await hostilePeer((_request, _socket, nth) =>
      nth === 0 ? refusalAt(noon + hour) : undefined,
    );
    const passTime = holdTimers();
    const failure = failureOf(openClient(peer, { timeout: 60_000, deadline: 60_000 }).transport.send(get));
    await peer.received(2);
    passTime(60_000);
    expect(await failure).toMatchObject({ code: 'network', hint: 'allow more time: --deadline 2m' });
  });
});

it('believes no date that came over plain HTTP from another machine', async () => {
  const date = new Date(noon + hour).toUTCString();
  const called = { method: 'GET', target: '/quotas' };
  const answer = { called, status: 401, headers: { date }, body: Buffer.from(JSON.stringify({ message })) };
  expect(clockSkew(answer, 'http://service.example', noon)).toBeUndefined();
  expect(clockSkew(answer, 'https://service.example', noon)).toBe(hour);
  expect(clockSkew(answer, 'http://localhost:8080', noon)).toBe(hour);
  expect(clockSkew(answer, 'http://[::1]:8080', noon)).toBe(hour);
});
