import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { Drain } from '../../src/server/listening/drain.js';
import { authorize, writeHead } from './support/raw-exchange.js';
import { useServers } from './support/start.js';

const servers = useServers();

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

const head = (server: RunningServer, length: number) => {
  const body = ['Content-Type: application/json', 'Expect: 100-continue', `Content-Length: ${length}`];
  return writeHead('POST /teams', authorize(server), ...body);
};

function nextData(socket: Socket): Promise<string> {
  return new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())));
}

function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

it('close finishes a request at hand, and hangs up the others', async () => {
  const server = await servers.start();
  const unused = await open(server.url);
  const idle = await open(server.url);
  idle.write(writeHead('GET /quotas'));
  expect(await nextData(idle)).toContain('HTTP/1.1 401');
  const busy = await open(server.url);
  const othersEnded = Promise.all([ended(unused), ended(idle)]);
  const busyEnded = ended(busy);
  const body = '{"name":"a"}';
  busy.write(head(server, body.length));
  // Once it is told to go on, the server is in the midst of this request.
  expect(await nextData(busy)).toContain('100 Continue');
  const closed = server.close();
  await othersEnded;
  const answered = nextData(busy);
  busy.write(body);
  const answer = await answered;
  expect(answer).toContain('HTTP/1.1 201');
  expect(answer.toLowerCase()).toContain('connection: close');
  await Promise.all([closed, busyEnded]);
  await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

interface Sending {
  readonly requests?: number;
  readonly event?: 'request' | 'checkContinue' | 'checkExpectation';
  readonly headers?: readonly string[];
}

/** A connection that has sent requests to a server of Node's, once the first of them is handled. */
async function busyConnection(
  drain: Drain,
  handler: RequestListener,
  { requests = 1, event = 'request', headers = [] }: Sending = {},
) {
  const http = createServer({ keepAliveTimeout: never });
  http.on(event, handler);
  drain.watch(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port }: AddressInfo = Object(http.address());
  const socket = await open(`http://127.0.0.1:${port}`);
  const socketEnded = ended(socket);
  socket.write(writeHead('GET /', ...headers).repeat(requests));
  await new Promise((resolve) => http.once(event, resolve));
  return { http, socket, socketEnded };
}

/** A test that waited for this would never end. */
const never = 3_600_000;

it('close waits for nobody longer than its grace', async () => {
  const drain = new Drain(50);
  const { http, socketEnded } = await busyConnection(drain, () => undefined);
  await drain.close(http);
  await socketEnded;
});

it.each<Sending>([
  {},
  { event: 'checkContinue', headers: ['Expect: 100-continue'] },
  { event: 'checkExpectation', headers: ['Expect: something'] },
])('close waits for an answer that has begun, and not for its connection: %o', async (sending) => {
  const drain = new Drain(never);
  const answers: ServerResponse[] = [];
  const handler: RequestListener = (_request, response) => {
    answers.push(response);
    response.write('begun');
  };
  const { http, socket, socketEnded } = await busyConnection(drain, handler, sending);
  expect(await nextData(socket)).toContain('begun');
  const closed = drain.close(http);
  const rest = nextData(socket);
  answers[0]?.end('whole');
  expect(await rest).toContain('whole');
  await Promise.all([closed, socketEnded]);
});

it('close ends what is postponed at once, and what would be after it', async () => {
  const drain = new Drain(never);
  const postpone: RequestListener = (_request, response) =>
    drain.postpone(response, never, () => response.end());
  // The second one waits for the answer to the first.
  const { http, socketEnded } = await busyConnection(drain, postpone, { requests: 2 });
  await drain.close(http);
  await socketEnded;
});

it('a closed server says so wherever its data are needed, and still shows its journal', async () => {
  const { control, keyId, close } = await servers.start();
  const signed = { keyId, method: 'GET', target: '/quotas', timestamp: '1', signature: 'x' };
  await close();
  const calls = [
    () => control.reset(),
    () => control.snapshot(),
    () => control.restore('x'),
    () => control.organizations(),
    () => control.quotas.get(),
    () => control.quotas.set({ teams: 1 }),
    () => control.keys.list(),
    () => control.keys.issue(),
    () => control.requests.send({ method: 'GET', target: '/quotas' }),
    () => control.signatures.check(signed),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({ name: 'UsageError', message: 'this server is closed' });
  }
  expect(await control.journal.get()).toEqual([]);
});
