import { describe, expect, it } from 'vitest';
import { clockSkew } from '../../src/client/answers/time-headers.js';
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
