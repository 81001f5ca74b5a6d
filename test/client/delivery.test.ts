import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { holdTimers } from '../support/hold-timers.js';
import { hostilePeer, httpAnswer, unusedPort } from '../support/hostile-peer.js';
import { type ClientOptions, failureOf, type OpenClient, openClient } from './support/open-client.js';
import { recordWarnings } from './support/record-warnings.js';

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

const securely = (origin: string) => ({ origin: origin.replace('http:', 'https:') });

describe.each(methods)('%s that was not delivered is a network error', (method) => {
  it('where the port is refused, or the host name does not exist', async () => {
    const origin = `https://127.0.0.1:${await unusedPort()}`;
    expect(await failureOfCall({ origin }, method)).toMatchObject({
      ...{ code: 'network', message: `${origin}: the connection was refused`, retryable: true, method },
      hint: expect.stringContaining('orgctl whoami'),
    });
    const message = 'https://nothing.invalid: the host name was not found';
    const unknown = await failureOfCall({ origin: 'https://nothing.invalid' }, method);
    expect(unknown).toMatchObject({ code: 'network', message });
  });

  it('and is sent again where the TLS handshake was reset, or took too long', async () => {
    const reset = await hostilePeer(() => undefined, { onConnection: (socket) => socket.resetAndDestroy() });
    const silent = await hostilePeer(() => undefined);
    for (const [{ origin }, timeout, reason] of [
      [securely(reset.origin), 10_000, 'the connection was closed before the request could be sent'] as const,
      [securely(silent.origin), 50, 'no connection within 50ms'] as const,
    ]) {
      const client = openClient({ origin }, { retries: 2, timeout });
      const message = `${origin}: ${reason}`;
      expect(await failureOf(call(client, method))).toMatchObject({ code: 'network', message });
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
            hint: 'check before you repeat it: orgctl teams list --all',
          },
    );
    expect(peer.requests.length).toBe(1);
  });
});

it.each<[SentMethod, string, string]>([
  ['PATCH', '/teams/team_1', 'orgctl teams get team_1'],
  ['DELETE', '/v1/teams/team_1?force=1', 'orgctl teams get team_1'],
  ['POST', '/teams/', 'orgctl teams list --all'],
  ['POST', '/teams/team_1/members', 'orgctl quotas'],
  ['POST', '/other?of=/teams', 'orgctl quotas'],
])('says where to look after %s %s without an answer', async (method, target, command) => {
  const peer = await hostilePeer((_request, socket) => socket.destroy());
  expect(await failureOf(openClient(peer).transport.send({ method, target }))).toMatchObject({
    code: 'outcome_unknown',
    hint: `check before you repeat it: ${command}`,
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

it.each([
  ['the client', 120_000, undefined, undefined, 120_000],
  ['the call', 600_000, 120_000, undefined, 120_000],
  ['the client, where that of the call is longer', 120_000, 600_000, undefined, 120_000],
  ['several calls in common', 600_000, 120_000, 40_000, 40_000],
])('names the deadline of %s where it ended the attempt', async (_whose, longest, own, left, after) => {
  const peer = await hostilePeer(() => undefined);
  const passTime = holdTimers();
  const { transport } = openClient(peer, { timeout: 300_000, deadline: longest, retries: 3 });
  const failure = failureOf(transport.send({ ...requests.GET, deadline: own }, left));
  await peer.received();
  passTime(after);
  expect(await failure).toMatchObject({
    code: 'network',
    message: `${peer.origin}: no complete response before the deadline of 2m`,
    hint: 'raise the deadline, for example to 4m',
  });
});

it('lets the timeout fire when garbage is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('no garbage collector to call');
  const peer = await hostilePeer(() => undefined);
  let over = false;
  const failure = failureOfCall(peer, 'GET', { timeout: 200 }).finally(() => {
    over = true;
  });
  while (!over) {
    collect();
    await turn();
  }
  expect(await failure).toMatchObject({ code: 'network', hint: 'raise the timeout, for example to 400ms' });
});

it('takes times that no timer can hold, and makes Node print no warning for many requests', async () => {
  const warnings = recordWarnings();
  const peer = await hostilePeer(() => httpAnswer(200, {}));
  for (const [timeout, deadline] of [
    [2 ** 40, Number.POSITIVE_INFINITY] as const,
    [Number.POSITIVE_INFINITY, 2 ** 40] as const,
  ]) {
    const client = openClient(peer, { timeout, deadline });
    await Promise.all(Array.from({ length: 20 }, () => call(client, 'GET')));
  }
  await turn();
  expect([peer.requests.length, warnings]).toEqual([40, []]);
});
