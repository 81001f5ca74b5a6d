import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { hostilePeer, scriptedPeer } from '../support/hostile-peer.js';
import { failureOf, openClient } from './support/open-client.js';

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
    hint: 'before you repeat it, check now and a minute later whether it was carried out: orgctl connections list --all',
  });
  await peer.disconnected();
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
