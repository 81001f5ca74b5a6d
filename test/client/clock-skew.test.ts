import { describe, expect, it } from 'vitest';
import { clockSkew } from '../../src/client/answers/time-headers.js';
import { holdTimers } from '../support/hold-timers.js';
import {
  headerOf,
  hostilePeer,
  httpAnswer,
  type RecordedRequest,
  scriptedPeer,
} from '../support/hostile-peer.js';
import { failureOf, get, noon, openClient, post } from './support/open-client.js';

const message = 'Invalid or missing X-API-Timestamp';
const hour = 3_600_000;
const httpDate = (milliseconds: number) => new Date(milliseconds).toUTCString();

function refusalAt(date: string, said = message): string {
  return httpAnswer(401, { statusCode: 401, message: said }, { Date: date });
}

function timestampOf(request: RecordedRequest | undefined): number {
  return Number(request && headerOf(request, 'x-api-timestamp')) * 1000;
}

/** A service whose clock is that far ahead, and which refuses timestamps more than 5 minutes from it. */
function skewedService(ahead: () => number) {
  return hostilePeer((request) =>
    Math.abs(timestampOf(request) - noon - ahead()) > 300_000
      ? refusalAt(httpDate(noon + ahead()))
      : httpAnswer(200, {}),
  );
}

const noteOf = (difference: string) =>
  `the service's clock is ${difference} this machine's; signing with the service's clock`;

describe('a refused timestamp', () => {
  it.each([
    [hour, '3600 s ahead of'],
    [-hour, '3600 s behind'],
    [24 * hour, '86400 s ahead of'],
  ])('is signed again by the service’s clock, with the same body: %i ms', async (ahead, difference) => {
    const peer = await skewedService(() => ahead);
    const { transport, notes, waits } = openClient(peer);
    expect((await transport.send(post)).status).toBe(200);
    expect(peer.requests.map(timestampOf)).toEqual([noon, noon + ahead]);
    expect(peer.requests.map(({ body }) => body)).toEqual([post.body, post.body]);
    expect([notes, waits]).toEqual([[noteOf(difference)], []]);
  });

  it('is signed again where the clocks differ by more than Date, which counts seconds, may be wrong', async () => {
    const peer = await scriptedPeer([refusalAt(httpDate(noon + 2000)), httpAnswer(200, {})]);
    await openClient(peer).transport.send(get);
    expect(peer.requests.map(timestampOf)).toEqual([noon, noon + 2000]);
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
    expect(peer.requests.map(timestampOf)).toEqual([0, hour, hour, -hour, -hour, 0].map((by) => noon + by));
    expect(notes).toEqual(['3600 s ahead of', '3600 s behind', '0 s ahead of'].map(noteOf));
  });

  it('is corrected for each of several requests at once, and noted once', async () => {
    const peer = await skewedService(() => hour);
    const { transport, notes } = openClient(peer);
    const answers = await Promise.all([1, 2, 3].map(() => transport.send(get)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(notes.length).toBe(1);
  });

  it('is no retry: the second attempt has its own retries', async () => {
    const answers = [refusalAt(httpDate(noon + hour)), httpAnswer(429), httpAnswer(200, {})];
    const peer = await scriptedPeer(answers);
    const { transport, waits } = openClient(peer, { retries: 1 });
    await transport.send(get);
    expect(waits).toEqual([250]);
    expect(peer.requests.map(timestampOf)).toEqual([noon, noon + hour, noon + hour]);
  });

  it('is an error when the corrected one is refused too', async () => {
    const peer = await scriptedPeer([refusalAt(httpDate(noon + hour))]);
    const { transport, notes } = openClient(peer, { retries: 3 });
    for (const requests of [2, 3]) {
      expect(await failureOf(transport.send(get))).toMatchObject({ code: 'unauthenticated', message });
      expect([peer.requests.length, notes.length]).toEqual([requests, 1]);
    }
  });

  it.each<[string, string, 'basic'?]>([
    ['the date is more than 24 hours away', refusalAt(httpDate(noon + 24 * hour + 1000))],
    ['the date is more than 24 hours back', refusalAt(httpDate(noon - 24 * hour - 1000))],
    ['there is no date', httpAnswer(401, { message })],
    ['the date is none', refusalAt('yesterday')],
    ['the date is a number', refusalAt(String(noon + hour))],
    ['the date is our own, so that another signature cannot help', refusalAt(httpDate(noon))],
    ['the date is nearly our own', refusalAt(httpDate(noon + 1000))],
    ['the message is another', refusalAt(httpDate(noon + hour), 'Invalid API signature')],
    ['the status is another', httpAnswer(403, { message }, { Date: httpDate(noon + hour) })],
    ['no timestamp was sent', refusalAt(httpDate(noon + hour)), 'basic'],
  ])('is an error at once where %s', async (_name, answer, auth) => {
    const peer = await scriptedPeer([answer]);
    const { transport, notes } = openClient(peer, { auth: auth ?? 'hmac' });
    const { code, hint } = await failureOf(transport.send(get));
    expect(code).toBe(answer.includes(' 403 ') ? 'forbidden' : 'unauthenticated');
    if (code === 'unauthenticated' && answer.includes(message))
      expect(hint).toContain("this machine's clock");
    expect([peer.requests.length, notes]).toEqual([1, []]);
  });

  it('leaves the corrected attempt no more than the deadline', async () => {
    const answers = [refusalAt(httpDate(noon + hour))];
    const peer = await hostilePeer((_request, _socket, nth) => answers[nth]);
    const passTime = holdTimers();
    const failure = failureOf(openClient(peer, { timeout: 60_000, deadline: 60_000 }).transport.send(get));
    await peer.received(2);
    passTime(60_000);
    expect(await failure).toMatchObject({ code: 'network', hint: 'raise the deadline, for example to 2m' });
  });
});

it.each([
  ['http://service.example', undefined],
  ['https://service.example', hour],
  ['http://localhost:8080', hour],
  ['http://[::1]:8080', hour],
])('believes no date that came over plain HTTP from another machine: %s', (origin, skew) => {
  const headers = { date: httpDate(noon + hour) };
  const answer = { called: get, status: 401, headers, body: Buffer.from(JSON.stringify({ message })) };
  expect(clockSkew(answer, origin, noon)).toBe(skew);
});
