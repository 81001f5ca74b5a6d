import { describe, expect, it } from 'vitest';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { linesOf, proxyTo, sendRaw } from './support/start-proxy.js';

const close = 'Connection: close';

describe('a request reaches the service as it came', () => {
  it('target byte for byte, headers in their order, case and number', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin);
    const target = '/%7Ea//b/../c;x?a=%zz&a=1&&|^?';
    await sendRaw(
      proxy,
      linesOf(
        `PATCH ${target} HTTP/1.1`,
        'x-B: 1',
        'Host',
        'X-a:  2',
        'x-b: \xe9',
        'CONTENT-length: 0',
        close,
      ),
    );
    const head = peer.requests[0]?.raw.toString('latin1').split('\r\n');
    expect(head).toEqual([
      `PATCH ${target} HTTP/1.1`,
      'x-B: 1',
      `Host: 127.0.0.1:${peer.port}`,
      'X-a: 2',
      'x-b: \xe9',
      'CONTENT-length: 0',
      'Via: 1.1 orgctl',
      'Connection: keep-alive',
      '',
      '',
    ]);
  });

  it('without what is for the proxy alone, and what Connection names', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin);
    const connection = 'Connection: close, X-Hop, Content-Length, Host';
    const hop = ['X-Hop: 1', 'TE: trailers', 'Keep-Alive: 5', 'Proxy-Authorization: x', 'Upgrade: h2c'];
    await sendRaw(
      proxy,
      linesOf('POST / HTTP/1.1', 'Host', connection, ...hop, 'X-Orgctl-Proxy-Token: x', 'Content-Length: 1') +
        'b',
    );
    expect(peer.requests[0]?.headers.map(([name]) => name)).toEqual([
      'Host',
      'Content-Length',
      'Via',
      'Connection',
    ]);
    expect(peer.requests[0]?.body.toString()).toBe('b');
  });

  it.each(['POST', 'PATCH', 'QUERY'])('no body of a %s stays none', async (method) => {
    const peer = await hostilePeer((_request, socket) => socket.write(httpAnswer(200, 'done')));
    const proxy = await proxyTo(peer.origin);
    expect(await sendRaw(proxy, linesOf(`${method} / HTTP/1.1`, 'Host', close))).toMatch(/done$/);
    expect(peer.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
    expect(peer.requests[0]?.raw.toString('latin1')).toContain('\r\nContent-Length: 0\r\n');
  });
});

describe('a response reaches the client as it came', () => {
  it.each([
    ['its reason and headers', 'HTTP/1.1 299 As It Is\r\nx-A: 1\r\nX-a: 2\r\ncontent-LENGTH: 2\r\n\r\nok'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['no content', 'HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n'],
    ['not modified', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\nETag: "x"\r\n\r\n'],
  ])('%s', async (_name, answer) => {
    const peer = await scriptedPeer([answer]);
    const proxy = await proxyTo(peer.origin);
    const received = await sendRaw(proxy, linesOf('GET / HTTP/1.1', 'Host', close));
    expect(received.replace('Via: 1.1 orgctl\r\nConnection: close\r\n', '')).toBe(answer);
  });

  it('a head with the length of what is not there', async () => {
    const peer = await scriptedPeer(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n']);
    const proxy = await proxyTo(peer.origin);
    const received = await sendRaw(proxy, linesOf('HEAD / HTTP/1.1', 'Host', close));
    expect(received).toBe(
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nVia: 1.1 orgctl\r\nConnection: close\r\n\r\n',
    );
  });

  it('16 MiB pass, and nothing of them is kept', async () => {
    const length = 16 * 1024 * 1024;
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;
    const peer = await scriptedPeer([Buffer.concat([Buffer.from(head), Buffer.alloc(length, 'x')])]);
    const proxy = await proxyTo(peer.origin);
    const observed = proxy.observed();
    const response = await fetch(`${proxy.url}/`);
    expect((await response.arrayBuffer()).byteLength).toBe(length);
    const { body } = (await observed).response ?? {};
    expect(body).toMatchObject({ length, isWhole: false });
    expect(body?.bytes.length).toBe(0);
  });
});
