import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { hostilePeer, httpAnswer, type Peer, scriptedPeer } from '../support/hostile-peer.js';
import { failureOf, openClient } from './support/open-client.js';

const get = { method: 'GET', target: '/connections' } as const;
const post = {
  method: 'POST',
  target: '/connections',
  body: Buffer.from('{"name":"a"}'),
  contentType: 'application/json',
} as const;

/** Answers that end before they are whole, all with the same beginning. */
const brokenOff = {
  'a body shorter than Content-Length': (socket: Socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data":[\n1,2'),
  'a body cut off by a reset': (socket: Socket) => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data":[\n1,2';
    socket.write(head, () => socket.resetAndDestroy());
  },
  'a chunked body without its last chunk': (socket: Socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{"data":[\n1,2\r\n'),
  'a chunk shorter than its size': (socket: Socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"data":[\n1,2'),
  'a chunk whose size is none': (socket: Socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{"data":[\n1,2\r\nxyz\r\n'),
};

describe.each(Object.entries(brokenOff))('%s', (_name, behave) => {
  it('is a server error of GET, with the status and the first line', async () => {
    const peer = await hostilePeer((_request, socket) => void behave(socket));
    expect(await failureOf(openClient(peer, { retries: 3 }).transport.send(get))).toMatchObject({
      code: 'server',
      status: 200,
      message: 'GET /connections returned 200, but the response broke off; it began: "{\\"data\\":["',
    });
    expect(peer.requests.length).toBe(1);
  });

  it('leaves what came of a POST unknown, but not that it was carried out', async () => {
    const peer = await hostilePeer((_request, socket) => void behave(socket));
    expect(await failureOf(openClient(peer, { retries: 3 }).transport.send(post))).toMatchObject({
      code: 'outcome_unknown',
      status: 200,
      message: expect.stringMatching(
        /^POST \/connections returned 200, but the response broke off \(.+\); the status says that it was carried out$/,
      ),
    });
    expect(peer.requests.length).toBe(1);
  });
});

it.each([300, 403])('calls a refusal of POST that broke off a refusal: %i', async (status) => {
  const peer = await hostilePeer((_request, socket) =>
    socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 99\r\n\r\n{"message":"Quo`),
  );
  expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject({ code: 'server', status });
});

it('gives up a body that does not end in time', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data":[';
  const peer = await scriptedPeer([head]);
  const { transport } = openClient(peer, { timeout: 400 });
  expect(await failureOf(transport.send(get))).toMatchObject({
    code: 'network',
    status: 200,
    message: expect.stringContaining('no answer within 400ms'),
  });
});

/** Sends a body without end, as fast as the reader takes it. */
function endlessly(socket: Socket): void {
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), mebibyte, Buffer.from('\r\n')]);
  const pump = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pump);
  socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nbegin\n\r\n');
  pump();
}

it('that broke off can be repeated if it was of a GET, and not if the request may have changed something', async () => {
  const cut = (status: number) => `HTTP/1.1 ${status} Status\r\nContent-Length: 100\r\n\r\n{"a":`;
  const peer = await hostilePeer(({ method }, socket) => socket.end(cut(method === 'GET' ? 200 : 500)));
  expect(await failureOf(openClient(peer).transport.send(get))).toMatchObject({
    code: 'server',
    status: 200,
    retryable: true,
  });
  expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject({
    code: 'server',
    status: 500,
    retryable: false,
  });
});

describe('a body without end', () => {
  it('is cut off at 64 MiB', async () => {
    const peer = await hostilePeer((_request, socket) => endlessly(socket));
    expect(await failureOf(openClient(peer).transport.send(get))).toMatchObject({
      code: 'server',
      status: 200,
      message: 'GET /connections returned 200, but the response is larger than 64 MiB; it began: "begin"',
      retryable: false,
    });
    await peer.disconnected();
  });

  it('does not hide that a POST was carried out', async () => {
    const peer = await hostilePeer((_request, socket) => endlessly(socket));
    expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject({
      code: 'server',
      status: 200,
      hint: 'check before you repeat it: orgctl connections list --all',
    });
  });
});

it('reads a body of exactly 64 MiB', async () => {
  const length = 64 * 1024 * 1024;
  const peer = await hostilePeer((_request, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(Buffer.alloc(length, ' '));
  });
  const answer = await openClient(peer).transport.send(get);
  expect(answer.body.length).toBe(length);
});

const noHttp = {
  garbage: '\u0000\u0001 this is not HTTP\r\n\r\n',
  'another protocol': '220 mail.example.com ESMTP\r\n',
  'a status line without a status': 'HTTP/1.1 OK\r\n\r\n',
  'two different lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'a length and chunks':
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a header line without a colon': 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n',
};

describe.each(Object.entries(noHttp))('an answer of %s', (_name, bytes) => {
  it('is a server error of GET', async () => {
    const peer = await scriptedPeer([bytes]);
    expect(await failureOf(openClient(peer, { retries: 3 }).transport.send(get))).toMatchObject({
      code: 'server',
      message: expect.stringMatching(/^GET \/connections: the response is not HTTP\/1\.1 \(Response .+\)$/),
    });
    expect(peer.requests.length).toBe(1);
  });

  it('leaves what came of a POST unknown, but not that it was carried out', async () => {
    const peer = await scriptedPeer([bytes]);
    expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject({ code: 'outcome_unknown' });
  });
});

it('gives up headers without end', async () => {
  const peer = await hostilePeer((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const line = `X-Filler: ${'x'.repeat(1000)}\r\n`;
    for (let sent = 0; sent < 200 && !socket.destroyed; sent++) socket.write(line);
  });
  expect(await failureOf(openClient(peer).transport.send(get))).toMatchObject({
    code: 'server',
    message: 'GET /connections: the response headers are too large',
  });
});

describe('unusual answers that are whole', () => {
  const whole = {
    'after early hints': `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${httpAnswer(200, { a: 1 })}`,
    'after several interim answers': `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${httpAnswer(200, { a: 1 })}`,
    'in chunks with a trailer':
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\n{"a\r\n4\r\n":1}\r\n0\r\nX-T: 1\r\n\r\n',
    'with headers named like members of every object': httpAnswer(
      200,
      { a: 1 },
      { constructor: '1', ['__proto__']: '2' },
    ),
  };

  it.each(Object.entries(whole))('are read %s', async (_name, bytes) => {
    const peer = await scriptedPeer([bytes]);
    const answer = await openClient(peer).transport.send(get);
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"a":1}']);
  });

  it.each([
    ['with a length', 'HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n{"a":1}'],
    ['that ends with the connection', 'HTTP/1.0 200 OK\r\n\r\n{"a":1}'],
  ])('are read from a server of HTTP/1.0, %s', async (_name, bytes) => {
    const peer = await hostilePeer((_request, socket) => void socket.end(bytes));
    const answer = await openClient(peer).transport.send(get);
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"a":1}']);
  });

  it('are read when they come byte by byte', async () => {
    const peer = await hostilePeer((_request, socket) => {
      socket.setNoDelay(true);
      for (const byte of httpAnswer(200, { a: 'ü' })) socket.write(byte);
    });
    const answer = await openClient(peer).transport.send(get);
    expect(answer.body.toString()).toBe('{"a":"ü"}');
  });
});

it('reads a refusal that came, and ended the connection, before the body was sent', async () => {
  const refusal = httpAnswer(413, { message: 'Body too large' }, { Connection: 'close' });
  const peer = await hostilePeer(() => undefined, {
    onConnection: (socket) => socket.once('data', () => socket.end(refusal)),
  });
  const body = Buffer.alloc(4 * 1024 * 1024, 'x');
  expect(await failureOf(openClient(peer).transport.send({ ...post, body }))).toMatchObject({
    code: 'rejected',
    status: 413,
    message: 'Body too large',
  });
});

// RFC 9110, section 15.2 has clients ignore it; undici gives the connection up, so it cannot be told from a reset.
it('takes 100 Continue, which was not asked for, as the end of the connection', async () => {
  const answer = `HTTP/1.1 100 Continue\r\n\r\n${httpAnswer(200, {})}`;
  const peer: Peer = await scriptedPeer([answer]);
  expect(await failureOf(openClient(peer).transport.send(get))).toMatchObject({ code: 'network' });
  expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject({ code: 'outcome_unknown' });
});

it.each(['099', '000', '101'])('calls an answer of status %s the fault of the service', async (status) => {
  const peer = await scriptedPeer([`HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\n{}`]);
  expect(await failureOf(openClient(peer).transport.send(get))).toMatchObject({
    code: 'server',
    message: expect.stringContaining('its status is not an HTTP status'),
  });
  expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject({
    code: 'outcome_unknown',
    message: expect.stringContaining('its status is not an HTTP status'),
  });
});
