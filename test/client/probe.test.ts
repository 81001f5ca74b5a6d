import { expect, it } from 'vitest';
import { probe } from '../../src/client/probe.js';
import { hostilePeer, httpAnswer, scriptedPeer, unusedPort } from '../support/hostile-peer.js';
import { credential } from './support/credential.js';
import { noon } from './support/open-client.js';

const record = { teams: { limit: 9, used: 1, remaining: 8, resets: 'never' } };
const quotas = { data: [record], total: 1, page: 1, limit: 20, pages: 1 };
const at = (milliseconds: number) => ({ Date: new Date(milliseconds).toUTCString() });

/** The client would keep the connection longer than any test takes. */
const kept = { 'Keep-Alive': 'timeout=600' };

function probeOf(origin: string) {
  return probe({ origin, prefix: '/v1', credential, clock: () => noon, timeout: 10_000, env: {} });
}

it('measures the clock by the middle of the second that the answer names, and closes', async () => {
  const early = `HTTP/1.1 103 Early Hints\r\nDate: ${at(0).Date}\r\n\r\n`;
  const peer = await scriptedPeer([`${early}${httpAnswer(200, quotas, { ...at(noon + 60_000), ...kept })}`]);
  expect(await probeOf(peer.origin)).toMatchObject({
    ...{ outcome: { accepted: { call: 'quotas' } }, answers: 1, isSignedAgain: false, skew: 60_500 },
  });
  expect(peer.requests.map(({ target }) => target)).toEqual(['/v1/quotas']);
  await peer.disconnected();
});

it('counts the answer that made it sign again, by which it measures', async () => {
  const refusal = { statusCode: 401, message: 'Invalid or missing X-API-Timestamp' };
  const peer = await scriptedPeer([
    httpAnswer(401, refusal, at(noon - 600_000)),
    httpAnswer(200, quotas, at(noon)),
  ]);
  expect(await probeOf(peer.origin)).toMatchObject({
    ...{ outcome: { accepted: { call: 'quotas' } }, answers: 2, isSignedAgain: true, skew: -599_500 },
  });
});

it('tells what it got where it got no time, and never tries again', async () => {
  const undated = await scriptedPeer([httpAnswer(503)]);
  expect(await probeOf(undated.origin)).toMatchObject({
    outcome: { error: { code: 'server' } },
    answers: 1,
    skew: undefined,
  });
  expect(undated.requests).toHaveLength(1);
  const refused = await probeOf(`http://127.0.0.1:${await unusedPort()}`);
  expect(refused).toMatchObject({ outcome: { error: { code: 'network' } }, answers: 0, skew: undefined });
  const silent = await hostilePeer((_request, socket) => socket.destroy());
  expect(await probeOf(silent.origin)).toMatchObject({ answers: 0, skew: undefined });
});

it('reads connections where the service has no quotas', async () => {
  const missing = httpAnswer(404, { message: 'no such path' });
  const peer = await scriptedPeer([missing, httpAnswer(200, [])]);
  expect(await probeOf(peer.origin)).toMatchObject({
    outcome: { accepted: { call: 'connections' } },
    isSignedAgain: false,
  });
  expect(peer.requests.map(({ target }) => target)).toEqual(['/v1/quotas', '/v1/connections']);
  const neither = await probeOf((await scriptedPeer([missing, missing])).origin);
  expect(neither).toMatchObject({
    outcome: { error: { code: 'not_found', details: { path: '/v1/quotas' } } },
  });
});
