import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { holdTimers } from '../support/hold-timers.js';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { endOfRefusal, linesOf, proxyTo, sendRaw } from './support/start-proxy.js';

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

  it('and has a certificate that nobody trusts, too', async () => {
    const server = await startServer({});
    const proxy = await proxyTo(server.url);
    const received = await sendRaw(proxy, get);
    await server.close();
    expect(received).toMatch(/^HTTP\/1.1 502 .*its certificate is not trusted/s);
  });

  it('in time is answered 504, and its connection is closed', async () => {
    const { peer, used } = await observedPeer(() => undefined);
    const passTime = holdTimers();
    const proxy = await proxyTo(peer.origin, { timeout: 50 });
    const received = sendRaw(proxy, get);
    await peer.received();
    passTime(50);
    expect(await received).toMatch(/^HTTP\/1.1 504 Gateway Timeout\r\n.*:\d+ gave no response within 50 ms/s);
    await expect.poll(() => used.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

describe('a response that breaks off cuts the client off, too', () => {
  it.each([
    [
      'within its length',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
      'end',
      /closed the connection before/,
    ],
    ['within its chunks', `${chunked}4\r\nhalf\r\n`, 'end', /closed the connection before/],
    [
      'within the chunks of the last response',
      `${chunked.slice(0, -2)}${close}\r\n\r\n4\r\nhalf\r\n`,
      'end',
      /closed the connection before/,
    ],
    ['in nonsense', `${chunked}4\r\nhalf\r\nzz\r\n`, 'wait', /Parse Error/],
  ])('%s', async (_name, answer, then, problem) => {
    const peer = await hostilePeer((_request, socket) => {
      socket.write(answer);
      if (then === 'end') socket.end();
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

  it('in silence', async () => {
    const peer = await hostilePeer(() => `${chunked}4\r\nhalf\r\n`);
    const passTime = holdTimers();
    const proxy = await proxyTo(peer.origin, { timeout: 100 });
    const observed = proxy.observed();
    const socket = connect(proxy.port, '127.0.0.1');
    socket.write(linesOf('GET / HTTP/1.1', `Host: 127.0.0.1:${proxy.port}`));
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString();
      if (received.includes('half')) passTime(100);
    });
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1.1 200 /);
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(await observed).toMatchObject({ outcome: 'cut-off', response: { status: 200 } });
    await peer.disconnected();
  });
});

describe('a client', () => {
  it('that goes away takes its request to the service with it', async () => {
    const peer = await hostilePeer(() => undefined);
    const proxy = await proxyTo(peer.origin);
    const observed = proxy.observed();
    const socket = connect(proxy.port, '127.0.0.1');
    socket.write(get.replace('Host', `Host: 127.0.0.1:${proxy.port}`));
    await peer.received();
    socket.destroy();
    await peer.disconnected();
    expect(await observed).toMatchObject({ outcome: 'abandoned', response: undefined });
  });

  it('that goes away within a response, or within its own body, ends the call to the service', async () => {
    const { peer, used } = await observedPeer(
      ({ method }, socket) => void (method === 'GET' && socket.write(`${chunked}4\r\nhalf\r\n`)),
    );
    const proxy = await proxyTo(peer.origin);
    const reader = connect(proxy.port, '127.0.0.1');
    const read = proxy.observed();
    reader.write(get.replace('Host', `Host: 127.0.0.1:${proxy.port}`));
    await once(reader, 'data');
    reader.destroy();
    expect(await read).toMatchObject({ outcome: 'abandoned', response: { status: 200 } });
    const writer = connect(proxy.port, '127.0.0.1');
    const written = proxy.observed();
    const length = 'Content-Length: 9';
    writer.write(`${linesOf('POST / HTTP/1.1', `Host: 127.0.0.1:${proxy.port}`, length)}half`);
    await expect.poll(() => used.length).toBe(2);
    writer.destroy();
    expect(await written).toMatchObject({ outcome: 'abandoned', requestBody: { length: 4 } });
    await expect.poll(() => used.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });

  it('that never reads is cut off, and holds back the service meanwhile', async () => {
    let written = 0;
    const peer = await hostilePeer((_request, socket) => {
      socket.write(chunked);
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) written += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    const proxy = await proxyTo(peer.origin, { timeout: 300 });
    const observed = proxy.observed();
    const socket = connect(proxy.port, '127.0.0.1').pause();
    socket.write(get.replace('Host', `Host: 127.0.0.1:${proxy.port}`));
    const problem = 'the proxy closed the connection: the client read nothing for 300 ms';
    expect(await observed).toMatchObject({ outcome: 'abandoned', problem });
    await peer.disconnected();
    expect(written).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
  });

  it('that sends a malformed body during the response is cut off', async () => {
    const { origin } = await hostilePeer(() => undefined, {
      onConnection: (socket) => socket.once('data', () => socket.write(`${chunked}4\r\nhalf\r\n`)),
    });
    const proxy = await proxyTo(origin);
    const observed = proxy.observed();
    const socket = connect(proxy.port, '127.0.0.1');
    const head = linesOf('POST / HTTP/1.1', `Host: 127.0.0.1:${proxy.port}`, 'Transfer-Encoding: chunked');
    socket.write(`${head}1\r\na\r\n`);
    await once(socket, 'data');
    socket.write('no length\r\n');
    expect(await observed).toMatchObject({ outcome: 'abandoned' });
  });

  it('that stops within its body is answered 408', async () => {
    const peer = await hostilePeer(() => undefined);
    const proxy = await proxyTo(peer.origin, { timeout: 100 });
    const received = await sendRaw(proxy, `${linesOf('POST / HTTP/1.1', 'Host', 'Content-Length: 9')}half`);
    expect(received).toMatch(/^HTTP\/1.1 408 .*orgctl proxy: the client sent nothing/s);
    await peer.disconnected();
  });

  it('that breaks its body is answered 400, and the service never gets its end', async () => {
    const peer = await hostilePeer(() => undefined);
    const proxy = await proxyTo(peer.origin);
    const body = '3\r\nabc\r\nzz\r\n';
    const received = await sendRaw(
      proxy,
      `${linesOf('POST / HTTP/1.1', 'Host', 'Transfer-Encoding: chunked')}${body}`,
      endOfRefusal,
    );
    expect(received).toMatch(/^HTTP\/1.1 400 /);
    await peer.disconnected();
  });

  it.each([linesOf('GET / HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'), 'SSH-2.0-x\r\n\r\n'])(
    'that resets the connection when it is refused harms no other: %j',
    async (bytes) => {
      const peer = await scriptedPeer([httpAnswer(200)]);
      const proxy = await proxyTo(peer.origin);
      const socket = connect(proxy.port, '127.0.0.1', () => socket.write(bytes));
      socket.once('data', () => socket.resetAndDestroy());
      await once(socket, 'close');
      expect(await sendRaw(proxy, get)).toMatch(/^HTTP\/1.1 200 /);
    },
  );
});

it('a service that answers before the end of a body does not hold up the next request', async () => {
  const peer = await hostilePeer(({ target }, socket) => socket.write(httpAnswer(200, target)), {
    onConnection: (socket) =>
      socket.once('data', (chunk: Buffer) => {
        if (chunk.toString('latin1').startsWith('POST')) socket.pause().write(httpAnswer(200, 'early'));
      }),
  });
  const proxy = await proxyTo(peer.origin);
  const length = 8 * 1024 * 1024;
  const host = `Host: 127.0.0.1:${proxy.port}`;
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(`${linesOf('POST / HTTP/1.1', host, `Content-Length: ${length}`)}start`);
  expect(String(await once(socket, 'data'))).toContain('early');
  socket.write(Buffer.alloc(length - 'start'.length));
  socket.write(linesOf('GET /next HTTP/1.1', host, close));
  expect(await text(socket)).toContain('/next');
  expect(proxy.exchanges.map(({ response }) => response?.status)).toEqual([200, 200]);
});

it('a connection that the service closed while it was unused is answered 502, and nothing is sent twice', async () => {
  const peer = await hostilePeer((_request, socket, nth) => (nth === 0 ? httpAnswer(200) : socket.destroy()));
  const proxy = await proxyTo(peer.origin);
  const del = get.replace('GET', 'DELETE');
  expect(await sendRaw(proxy, del)).toMatch(/^HTTP\/1.1 200 /);
  expect(await sendRaw(proxy, del)).toMatch(/^HTTP\/1.1 502 /);
  expect(peer.requests).toHaveLength(2);
});

it('what follows the whole response to a HEAD is left out, and the connection with it', async () => {
  const peer = await hostilePeer((_request, socket) => socket.write(httpAnswer(200, 'body')));
  const proxy = await proxyTo(peer.origin);
  for (const _ of ['first', 'second']) {
    expect(await sendRaw(proxy, get.replace('GET', 'HEAD'))).toMatch(
      /^HTTP\/1.1 200 .*Content-Length: 4\r\n.*\r\n\r\n$/is,
    );
  }
  expect(peer.connections).toBe(2);
});

describe('the end', () => {
  it('lets exchanges finish, and takes no more', async () => {
    let finish: (() => void) | undefined;
    const end = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const peer = await hostilePeer(async (_request, socket) => {
      await end;
      socket.write(httpAnswer(200, 'last'));
    });
    const proxy = await proxyTo(peer.origin, { grace: 60_000 });
    const answered = sendRaw(proxy, linesOf('GET / HTTP/1.1', 'Host'));
    await peer.received();
    const closed = proxy.close();
    const late = connect(proxy.port, '127.0.0.1');
    expect(await once(late, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
    finish?.();
    expect(await answered).toMatch(/^HTTP\/1.1 200 .*last$/s);
    await closed;
  });

  it('cuts off what takes longer than its grace', async () => {
    const peer = await scriptedPeer([`${chunked}4\r\nhalf\r\n`]);
    const proxy = await proxyTo(peer.origin, { grace: 50 });
    const answered = sendRaw(proxy, get);
    await peer.received();
    await proxy.close();
    await answered;
    await peer.disconnected();
  });
});
