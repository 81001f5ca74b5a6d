import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { holdTimers } from '../support/hold-timers.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { linesOf, proxyTo, sendRaw } from './support/start-proxy.js';

const close = 'Connection: close';
const get = linesOf('GET / HTTP/1.1', 'Host', close);
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

/** A peer with the connections on which it got anything. */
async function observedPeer(behave: Parameters<typeof hostilePeer>[0]) {
  const used: Socket[] = [];
  const onConnection = (socket: Socket) => socket.once('data', () => used.push(socket));
  return { used, peer: await hostilePeer(behave, { onConnection }) };
}

describe('a service that gives no response', () => {
  const malformed = /Parse Error|does not match the HTTP\/1.1 protocol|does not match content-length/;
  const failures: readonly [string, string | undefined, RegExp][] = [
    ['hangs up', undefined, /the connection was closed before the response was complete|socket hang up/],
    ['does not speak HTTP', 'SSH-2.0-x\r\n', malformed],
    ['has a length and chunks', `${chunked.slice(0, -2)}Content-Length: 3\r\n\r\n0\r\n\r\n`, malformed],
    ['has two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', malformed],
    ['has a bomb of headers', `HTTP/1.1 200 OK\r\n${'Xxxxx: yyyyy\r\n'.repeat(10_000)}\r\n`, /Header/],
    [
      'switches protocols',
      'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      /switched to another protocol/,
    ],
    ['has a status that is none', 'HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n', /./],
  ];
  const requests = ['GET', 'POST'].map((method) => ({ method, bytes: get.replace('GET', method) }));
  it.each(
    requests.flatMap((request) => failures.map(([name, ...rest]) => [name, request, ...rest] as const)),
  )('and %s is answered 502, in the name of the proxy (%o)', async (_name, { bytes }, answer, reason) => {
    const peer = await hostilePeer((_request, socket) =>
      answer === undefined ? socket.end() : socket.end(answer),
    );
    const proxy = await proxyTo(peer.origin);
    const observed = proxy.observed();
    const [head, body = ''] = (await sendRaw(proxy, bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\n/);
    expect(head).toContain('\r\nVia: 1.1 orgctl');
    const { statusCode, message } = JSON.parse(body);
    expect(statusCode).toBe(502);
    expect(message).toContain(`orgctl proxy: ${peer.origin} gave no usable response: `);
    expect(message).toMatch(reason);
    expect(await observed).toMatchObject({ outcome: 'failed', response: { status: 502 } });
  });

  it('in time is answered 504, and its connection is closed', async () => {
    const { peer, used } = await observedPeer(() => undefined);
    const passTime = holdTimers();
    const proxy = await proxyTo(peer.origin, { timeout: 50 });
    const received = sendRaw(proxy, get);
    await peer.received();
    passTime(50);
    expect(await received).toMatch(/^HTTP\/1.1 504 Gateway Timeout\r\n.*data to or from \S+:\d+ for 50 ms/s);
    await expect.poll(() => used.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

describe('a response that breaks off cuts the client off, too', () => {
  const early = /closed the connection before/;
  it.each([
    ['within its length', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', early],
    ['within its chunks', `${chunked}4\r\nhalf\r\n`, early],
    ['within the chunks of the last one', `${chunked.slice(0, -2)}${close}\r\n\r\n4\r\nhalf\r\n`, early],
    ['in nonsense', `${chunked}4\r\nhalf\r\nzz\r\n`, /Parse Error/],
  ])('%s', async (_name, answer, problem) => {
    const peer = await hostilePeer((_request, socket) => {
      socket.write(answer);
      if (problem === early) socket.end();
    });
    const proxy = await proxyTo(peer.origin);
    const observed = proxy.observed();
    const received = await sendRaw(proxy, linesOf('GET / HTTP/1.1', 'Host'));
    // Nothing at all where its end came along with its head.
    expect(received).toMatch(/^(?:$|HTTP\/1.1 200 )/);
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(await observed).toMatchObject({
      ...{ outcome: 'cut-off', response: { status: 200 } },
      problem: expect.stringMatching(problem),
    });
    await peer.disconnected();
  });
});

it.each([
  ['after a request', 'Content-Length: 2\r\n\r\n{}xx', ['201', '400'], undefined],
  ['in its body', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', ['400'], 'the request broke off in its body'],
])('broken HTTP %s gets 400, but never in place of a response', async (_name, rest, statuses, reason) => {
  const proxy = await proxyTo((await hostilePeer(() => httpAnswer(201))).origin);
  const sent = sendRaw(proxy, `POST / HTTP/1.1\r\nHost\r\n${rest}`);
  const [received, { problem }] = await Promise.all([sent, proxy.observed()]);
  expect(received.match(/(?<=^HTTP\/1.1 )\d+/gm)).toEqual(statuses);
  expect(received).toContain('"orgctl proxy: not an HTTP/1.1 request within the limits (HPE_INVALID_');
  expect(problem).toBe(reason);
});

it('a connection that the service closed while it was unused is answered 502, and nothing is sent twice', async () => {
  const peer = await hostilePeer((_request, socket, nth) => (nth === 0 ? httpAnswer(200) : socket.destroy()));
  const proxy = await proxyTo(peer.origin);
  const del = get.replace('GET', 'DELETE');
  expect(await sendRaw(proxy, del)).toMatch(/^HTTP\/1.1 200 /);
  expect(await sendRaw(proxy, del)).toMatch(/^HTTP\/1.1 502 /);
  expect(peer.requests).toHaveLength(2);
});

it.each([
  ['GET *=drop', /^$/, 0],
  ['GET *=truncate', /\r\n\r\no$/, 1],
  ['GET *=429:7s', /^HTTP\/1.1 429 .*\r\nRetry-After: 7\r\n/s, 0],
] as const)('the fault %s of a proxy', async (rule, received, sent) => {
  const peer = await hostilePeer(() => httpAnswer(200, 'ok'));
  const proxy = await proxyTo(peer.origin, { faults: [rule] });
  expect(await sendRaw(proxy, get)).toMatch(received);
  expect(peer.requests).toHaveLength(sent);
});

it.each(['server', 'proxy'])('the fault reset of a %s ends the connection with a TCP reset', async (kind) => {
  const faults = ['* *=reset'] as const;
  const server = await startServer({ http: true, console: false, faults });
  onTestFinished(() => server.close());
  const { port } = kind === 'server' ? new URL(server.url) : await proxyTo(server.url, { faults });
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(get.replace('Host', `Host: 127.0.0.1:${port}`));
  await expect(once(socket, 'close')).rejects.toMatchObject({ code: 'ECONNRESET' });
});
