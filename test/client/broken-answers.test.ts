import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { credential } from './support/credential.js';
import { failureOf, isOverUndici, openClient } from './support/open-client.js';

const get = { method: 'GET', target: '/connections' } as const;
const post = {
  method: 'POST',
  target: '/connections',
  body: Buffer.from('{"name":"a"}'),
  contentType: 'application/json',
} as const;

const long = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data":[\n1,2';
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Answers that end before they are whole, all with the same beginning. */
const brokenOff = {
  'a body shorter than Content-Length': (socket: Socket) => socket.end(long),
  'a body cut off by a reset': (socket: Socket) => socket.write(long, () => socket.resetAndDestroy()),
  'a chunked body without its last chunk': (socket: Socket) =>
    socket.end(`${chunked}d\r\n{"data":[\n1,2\r\n`),
  'a chunk shorter than its size': (socket: Socket) => socket.end(`${chunked}ff\r\n{"data":[\n1,2`),
  'a chunk whose size is none': (socket: Socket) => socket.end(`${chunked}d\r\n{"data":[\n1,2\r\nxyz\r\n`),
};

it.each(Object.entries(brokenOff))(
  '%s is a server error of GET, and leaves what came of a POST unknown, but not that it was carried out',
  async (_name, behave) => {
    const peer = await hostilePeer((_request, socket) => void behave(socket));
    expect(await failureOf(openClient(peer, { retries: 3 }).transport.send(get))).toMatchObject({
      code: 'server',
      status: 200,
      retryable: true,
      message: 'GET /connections returned 200, but the response was cut off; it began: "{\\"data\\":["',
    });
    expect(peer.requests.length).toBe(1);
    expect(await failureOf(openClient(peer, { retries: 3 }).transport.send(post))).toMatchObject({
      code: 'outcome_unknown',
      status: 200,
      message: expect.stringMatching(
        /^POST \/connections returned 200, but the response was cut off \(.+\); the status says that it was carried out$/,
      ),
    });
    expect(peer.requests.length).toBe(2);
  },
);

it('masks what was sent, and came back in the beginning of an answer that was cut off', async () => {
  const cut = `HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhunter22 ${credential.secret}`;
  const peer = await hostilePeer((_request, socket) => socket.end(cut));
  const target = `${get.target}?token=hunter22`;
  expect(await failureOf(openClient(peer).transport.send({ ...get, target }))).toMatchObject({
    message: expect.stringContaining('it began: "******** ********"'),
  });
});

it.each([300, 403, 500])('calls a refusal of POST that was cut off a refusal: %i', async (status) => {
  const peer = await hostilePeer((_request, socket) =>
    socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 99\r\n\r\n{"message":"Quo`),
  );
  const failure = { code: 'server', status, retryable: false };
  expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject(failure);
});

it('gives up a body that does not end in time', async () => {
  const { transport } = openClient(await scriptedPeer([long]), { timeout: 400 });
  expect(await failureOf(transport.send(get))).toMatchObject({
    code: 'network',
    status: 200,
    message: expect.stringContaining('no complete response within 400ms'),
  });
});

const most = 64 * 1024 * 1024;

it('cuts a body off at 64 MiB, which does not hide that a POST was carried out', async () => {
  const peer = await hostilePeer((_request, socket) => {
    const mebibyte = Buffer.from(`100000\r\n${'x'.repeat(2 ** 20)}\r\n`);
    const pump = () => {
      while (!socket.destroyed && socket.write(mebibyte));
    };
    socket.on('drain', pump);
    socket.write(`${chunked}6\r\nbegin\n\r\n`);
    pump();
  });
  expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject({
    ...{ code: 'server', status: 200, retryable: false },
    message: 'POST /connections returned 200, but the response is larger than 64 MiB',
    hint: 'check before you repeat it: orgctl connections list --all',
  });
  await peer.disconnected();
});

it('reads a body of exactly 64 MiB', async () => {
  const peer = await hostilePeer((_request, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${most}\r\n\r\n`);
    socket.write(Buffer.alloc(most, ' '));
  });
  // A trace would look for secrets in it.
  const answer = await openClient(peer, { trace: undefined }).transport.send(get);
  expect(answer.body.length).toBe(most);
});

const noHttp = {
  garbage: '\u0000\u0001 this is not HTTP\r\n\r\n',
  'a status line without a status': 'HTTP/1.1 OK\r\n\r\n',
  'two different lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'a length and chunks': `${chunked.replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n')}0\r\n\r\n`,
  'a header line without a colon': 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n',
};

it.each(Object.entries(noHttp))('calls an answer of %s no HTTP', async (_name, bytes) => {
  const peer = await scriptedPeer([bytes]);
  expect(await failureOf(openClient(peer, { retries: 3 }).transport.send(get))).toMatchObject({
    code: 'server',
    message: expect.stringMatching(/^GET \/connections: the response is not HTTP\/1\.1 \(.+\)$/),
  });
  expect(peer.requests.length).toBe(1);
  expect(await failureOf(openClient(peer).transport.send(post))).toMatchObject({ code: 'outcome_unknown' });
});

it('gives up headers without end', async () => {
  const peer = await hostilePeer((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const line = `X-Filler: ${'x'.repeat(1000)}\r\n`;
    for (let sent = 0; sent < 200 && !socket.destroyed; sent++) socket.write(line);
  });
  expect(await failureOf(openClient(peer).transport.send(get))).toMatchObject({
    code: 'server',
    message: expect.stringMatching(/^GET \/connections: the response is not HTTP\/1\.1 \(.*overflow/i),
  });
});

describe('unusual answers that are whole', () => {
  const interim = 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const odd = { constructor: '1', ['__proto__']: '2' };

  it.each([
    ['after interim answers', `${interim}${httpAnswer(200, { a: 1 })}`],
    ['in chunks with a trailer', `${chunked}3;x=y\r\n{"a\r\n4\r\n":1}\r\n0\r\nX-T: 1\r\n\r\n`],
    ['with headers named like members of every object', httpAnswer(200, { a: 1 }, odd)],
    ['from HTTP/1.0, with a length', 'HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n{"a":1}'],
    ['from HTTP/1.0, until the connection ends', 'HTTP/1.0 200 OK\r\n\r\n{"a":1}'],
  ])('are read %s', async (_name, bytes) => {
    const peer = await hostilePeer((_request, socket) => void socket.end(bytes));
    const answer = await openClient(peer).transport.send(get);
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"a":1}']);
  });
});

it('reads a refusal that came, and ended the connection, before the body was sent', async () => {
  const refusal = httpAnswer(413, { message: 'Body too large' }, { Connection: 'close' });
  const peer = await hostilePeer(() => undefined, {
    onConnection: (socket) => socket.once('data', () => socket.end(refusal)),
  });
  const body = Buffer.alloc(4 * 1024 * 1024, 'x');
  const failure = { code: 'rejected', status: 413, message: 'Body too large' };
  expect(await failureOf(openClient(peer).transport.send({ ...post, body }))).toMatchObject(failure);
});

// RFC 9110, section 15.2 has clients ignore it; undici gives the connection up, so it cannot be told from a reset.
it('ignores 100 Continue, which was not asked for, or takes it as the end of the connection', async () => {
  const peer = await scriptedPeer([`HTTP/1.1 100 Continue\r\n\r\n${httpAnswer(200, {})}`]);
  for (const [request, code] of [[get, 'network'] as const, [post, 'outcome_unknown'] as const]) {
    const failure = isOverUndici() ? { code } : { resolved: { status: 200 } };
    expect(await failureOf(openClient(peer).transport.send(request))).toMatchObject(failure);
  }
});

it.each(['099', '000'])('calls an answer of status %s the fault of the service', async (status) => {
  const peer = await scriptedPeer([`HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\n{}`]);
  for (const [request, code] of [[get, 'server'] as const, [post, 'outcome_unknown'] as const]) {
    // undici has an assertion for each of them.
    const isPlain = isOverUndici() && request === get;
    expect(await failureOf(openClient(peer).transport.send(request))).toMatchObject({
      code: isPlain ? 'network' : code,
    });
  }
});
