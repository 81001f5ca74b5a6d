import { expect, it } from 'vitest';
import { headerOf, hostilePeer, httpAnswer, type RecordedRequest } from '../support/hostile-peer.js';
import { noon, openClient, post } from './support/open-client.js';

const hour = 3_600_000;

function timestampOf(request: RecordedRequest | undefined): number {
  return Number(request && headerOf(request, 'x-api-timestamp')) * 1000;
}

/** A service whose clock is that far ahead, and which refuses timestamps more than 5 minutes from it. */
const skewedService = (ahead: number) =>
  hostilePeer((request) => {
    if (Math.abs(timestampOf(request) - noon - ahead) <= 300_000) return httpAnswer(200, {});
    const refusal = { statusCode: 401, message: 'Invalid or missing X-API-Timestamp' };
    return httpAnswer(401, refusal, { Date: new Date(noon + ahead).toUTCString() });
  });

const noteOf = (difference: string) =>
  `the service's clock is ${difference} this machine's; signing with the service's clock`;

it.each([
  [hour, '3600 s ahead of'],
  [-hour, '3600 s behind'],
  [24 * hour, '86400 s ahead of'],
])(
  'a refused timestamp is signed again by the service’s clock, with the same body: %i ms',
  async (ahead, difference) => {
    const peer = await skewedService(ahead);
    const { transport, notes, waits } = openClient(peer);
    expect((await transport.send(post)).status).toBe(200);
    expect(peer.requests.map(timestampOf)).toEqual([noon, noon + ahead]);
    expect(peer.requests.map(({ body }) => body)).toEqual([post.body, post.body]);
    expect([notes, waits]).toEqual([[noteOf(difference)], []]);
  },
);
