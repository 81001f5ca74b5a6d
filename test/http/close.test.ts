import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { holdTimers } from '../support/hold-timers.js';
import { useServers } from '../support/servers.js';
import { authorize, writeHead } from './support/raw-exchange.js';

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

it('close lets a request in progress finish within 5 seconds, and closes all other connections', async () => {
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
  const stuck = await open(server.url);
  stuck.write(head(server, body.length));
  await nextData(stuck);
  const passTime = holdTimers();
  const closed = server.close();
  passTime(4999);
  await othersEnded;
  const answered = nextData(busy);
  busy.write(body);
  const answer = await answered;
  expect(answer).toContain('HTTP/1.1 201');
  expect(answer.toLowerCase()).toContain('connection: close');
  await busyEnded;
  passTime(1);
  await closed;
  await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

it('close does not wait for requests that a fault delays, nor for those behind them; connections, and requests of one, are bounded', async () => {
  const limits = { connections: 2, pipelined: 2 };
  const server = await servers.start({ faults: ['* *=delay:1h'], limits });
  const socket = await open(server.url);
  const socketEnded = ended(socket);
  socket.write(writeHead('GET /quotas').repeat(2));
  await expect.poll(async () => (await server.control.faults.get())[0]?.hits).toBe(2);
  const greedy = await open(server.url);
  await ended(await open(server.url));
  greedy.write(writeHead('GET /quotas').repeat(3));
  await ended(greedy);
  await server.close();
  await socketEnded;
});
