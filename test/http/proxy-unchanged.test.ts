import { describe, expect, it } from 'vitest';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { linesOf, proxyTo, sendRaw } from './support/start-proxy.js';

const close = 'Connection: close';

describe('a request reaches the service as it came', () => {
  it('target byte for byte, headers in their order, case and number', async () => {
    const peer = await scriptedPeer([httpAnswer(200)]);
    const proxy = await proxyTo(peer.origin);
    const target = '/%7Ea//b/../c;x?a=%zz&a=1&&|^?';
    const lines = ['x-B: 1', 'Host', 'X-a:  2', 'x-b: \xe9', 'CONTENT-length: 0', close];
    await sendRaw(proxy, linesOf(`PATCH ${target} HTTP/1.1`, ...lines));
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
});
