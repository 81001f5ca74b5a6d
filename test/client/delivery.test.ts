import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { holdTimers } from '../support/hold-timers.js';
import { hostilePeer, httpAnswer, unusedPort } from '../support/hostile-peer.js';
import { type ClientOptions, failureOf, type OpenClient, openClient } from './support/open-client.js';

const requests = {
  GET: { method: 'GET', target: '/teams' },
  POST: { method: 'POST', target: '/teams', body: Buffer.from('{}'), contentType: 'application/json' },
  PATCH: { method: 'PATCH', target: '/teams/team_1', body: Buffer.from('{}') },
  DELETE: { method: 'DELETE', target: '/teams/team_1' },
} as const;
type SentMethod = keyof typeof requests;
const methods = ['GET', 'POST'] as const;

function call({ transport }: OpenClient, method: SentMethod): Promise<unknown> {
  return transport.send(requests[method]);
}

function failureOfCall(
  peer: { readonly origin: string },
  method: SentMethod,
  options: ClientOptions = {},
): Promise<Record<string, unknown>> {
  return failureOf(call(openClient(peer, options), method));
}

describe.each(methods)('%s that was not delivered is a network error', (method) => {
  it('where the port is refused, or the host name does not exist', async () => {
    const origin = `https://127.0.0.1:${await unusedPort()}`;
    const unknown = 'https://nothing.invalid';
    for (const [to, reason] of [
      [origin, 'the connection was refused'],
      [unknown, 'the host name was not found'],
    ] as const) {
      const client = openClient({ origin: to }, { retries: 2 });
      expect(await failureOf(call(client, method))).toMatchObject({
        ...{ code: 'network', message: `${to}: ${reason}`, retryable: true, method },
        hint: expect.stringContaining('orgctl whoami'),
      });
      expect(client.waits).toEqual([250, 500]);
    }
  });
});

/** What a peer does in place of answering a request that it has read. */
const silences = {
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'closes the connection': (socket) => socket.end(),
  'closes it in the middle of the status line': (socket) => socket.end('HTTP/1.1 20'),
  'closes it in the middle of the headers': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
  'closes it after the early hints': (socket) => socket.end('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  hangs: () => undefined,
  'hangs in the middle of the headers': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Le'),
} satisfies Record<string, (socket: Socket) => unknown>;

describe.each(Object.entries(silences))('a peer that reads the request and then %s', (name, behave) => {
  it.each(methods)('is asked once by %s, whose outcome is unknown if it changes anything', async (method) => {
    const peer = await hostilePeer((_request, socket) => void behave(socket));
    const passTime = holdTimers();
    const failing = failureOfCall(peer, method, { timeout: 30_000, retries: 3 });
    await peer.received();
    if (name.startsWith('hangs')) passTime(30_000);
    const reason = name.startsWith('hangs')
      ? 'no complete response within 30s'
      : 'the connection was closed before the response was complete';
    expect(await failing).toMatchObject(
      method === 'GET'
        ? { code: 'network', retryable: true, message: `${peer.origin}: ${reason}` }
        : {
            code: 'outcome_unknown',
            retryable: false,
            message: `POST /teams was sent, but no response came (${reason}); it may or may not have been carried out`,
            hint: 'before you repeat it, check now and a minute later whether it was carried out: orgctl teams list --all',
          },
    );
    expect(peer.requests.length).toBe(1);
  });
});

describe('a connection that is kept alive', () => {
  const goodbye = httpAnswer(200, {}, { 'Keep-Alive': 'timeout=60' });

  // The request was written, so it may have been carried out. undici frees a connection one turn of the event loop after
  // its answer, so a second one is opened at times.
  it.each(methods)('is reused, and closed as %s arrives it is reported, not repeated', async (method) => {
    const peer = await hostilePeer((_request, socket, nth) => {
      if (nth <= 1) return goodbye;
      socket.destroy();
      return undefined;
    });
    const client = openClient(peer, { retries: 3 });
    await call(client, 'GET');
    await call(client, 'GET');
    const failure = await failureOf(call(client, method));
    expect(failure['code']).toBe(method === 'GET' ? 'network' : 'outcome_unknown');
    expect(peer.requests.length).toBe(3);
    expect(peer.connections).toBeLessThanOrEqual(2);
  });
});
