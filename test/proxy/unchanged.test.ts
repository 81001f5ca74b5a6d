import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
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

  it('chunks and trailers too', async () => {
    const peer = await hostilePeer(() => undefined, {
      onConnection(socket) {
        let all = '';
        socket.on('data', (chunk: Buffer) => {
          all += chunk.toString('latin1');
          if (all.endsWith('X-Sum: 1\r\n\r\n')) socket.write(httpAnswer(200, all));
        });
      },
    });
    const proxy = await proxyTo(peer.origin);
    const head = linesOf('POST / HTTP/1.1', 'Host', 'Transfer-Encoding: chunked', 'Trailer: X-Sum', close);
    const observed = proxy.observed();
    const token = 'X-Orgctl-Proxy-Token: x';
    const answer = await sendRaw(proxy, `${head}3\r\nabc\r\n0\r\n${token}\r\nX-Sum: 1\r\n\r\n`);
    expect(answer).not.toContain('Proxy-Token');
    expect(answer).toContain('\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n');
    expect(answer).toMatch(/\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n$/);
    expect(await observed).toMatchObject({
      outcome: 'passed',
      requestBody: { length: 3, isWhole: true },
    });
  });

  it('leave to send a body is given by the service', async () => {
    const peer = await hostilePeer(() => undefined, {
      onConnection: (socket) =>
        socket.on('data', (chunk: Buffer) => {
          const text = chunk.toString('latin1');
          if (text.includes('Expect: 100-continue')) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          else socket.write(httpAnswer(200, `got ${text}`));
        }),
    });
    const proxy = await proxyTo(peer.origin);
    const socket = connect(proxy.port, '127.0.0.1');
    const host = `Host: 127.0.0.1:${proxy.port}`;
    socket.write(linesOf('PUT / HTTP/1.1', host, 'Expect: 100-continue', 'Content-Length: 4', close));
    expect(String(await once(socket, 'data'))).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('body');
    expect(String(await once(socket, 'data'))).toContain('got body');
  });

  it.each(['GET', 'HEAD', 'POST'])(
    'hints of a service to a %s, but for those of no known form',
    async (method) => {
      const links = ['</a>; rel=preload', 'no link', '</b>'];
      const hints = links.map((link) => `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\n\r\n`).join('');
      const peer = await hostilePeer((_request, socket) =>
        socket.write(`${hints}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`),
      );
      const proxy = await proxyTo(peer.origin);
      const answer = await sendRaw(proxy, linesOf(`${method} / HTTP/1.1`, 'Host', close));
      expect(answer).toMatch(/^HTTP\/1\.1 103 .*\r\nLink: <\/a>; rel=preload\r\n.*HTTP\/1\.1 200 /s);
      expect(answer).not.toContain('no link');
      expect(await sendRaw(proxy, linesOf(`${method} / HTTP/1.0`, 'Host'))).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('and is refused by it before the body is sent', async () => {
    const refusing = await hostilePeer(() => undefined, {
      onConnection: (socket) => socket.on('data', () => socket.write(httpAnswer(401, 'no'))),
    });
    const proxy = await proxyTo(refusing.origin);
    const answer = await sendRaw(
      proxy,
      linesOf('PUT / HTTP/1.1', 'Host', 'Expect: 100-continue', 'Content-Length: 4'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: close\r\n.*no$/s);
  });

  it('pipelined requests one after the other', async () => {
    let underWay = 0;
    const peer = await hostilePeer(async ({ target }, socket) => {
      underWay += 1;
      const seen = underWay;
      await setImmediate();
      underWay -= 1;
      socket.write(httpAnswer(200, `${target} ${seen}`));
    });
    const proxy = await proxyTo(peer.origin);
    const answer = await sendRaw(
      proxy,
      linesOf('GET /1 HTTP/1.1', 'Host') +
        linesOf('DELETE /2 HTTP/1.1', 'Host') +
        linesOf('GET /3 HTTP/1.1', 'Host', close),
    );
    expect(answer.match(/^\/\d \d/gm)).toEqual(['/1 1', '/2 1', '/3 1']);
  });
});

describe('a response reaches the client as it came', () => {
  it.each([
    ['its reason and headers', 'HTTP/1.1 299 As It Is\r\nx-A: 1\r\nX-a: 2\r\ncontent-LENGTH: 2\r\n\r\nok'],
    [
      'chunks and trailers',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n\r\n',
    ],
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
