import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { at, Caller } from './support/caller.js';
import { answersIn, authorize, rawExchange, writeHead } from './support/raw-exchange.js';
import { useSockets } from './support/socket-client.js';
import { useServers } from './support/start.js';

const servers = useServers();
const sockets = useSockets();

const head = (server: RunningServer, target: string, ...lines: string[]) =>
  writeHead(`GET ${target}`, authorize(server), ...lines);

/** What is posted to make a connection whose answers are large. */
function largeConnection(length: number): object {
  // In words: what is as long as a secret is not shown.
  const config = {
    host: 'h',
    port: 5432,
    database: 'x '.repeat(length / 2),
    user: 'u',
    password: 'p',
    ssl: true,
  };
  return { name: 'a', type: 'postgresql', config };
}

describe('requests that follow one another without an answer', () => {
  it('are answered in order, up to as many as may wait; bodies that look like heads, too', async () => {
    const server = await servers.start({ quotas: { teams: 100 } });
    const many = [...Array(30).keys()].map((turn) => head(server, turn % 2 === 0 ? '/quotas' : '/nowhere'));
    const last = head(server, '/quotas', 'Connection: close');
    const { statuses } = answersIn(await rawExchange(server, many.join('') + last));
    expect(statuses).toEqual([...many.map((_, turn) => (turn % 2 === 0 ? 200 : 404)), 200]);
    const body = JSON.stringify({ name: 'a' }) + '\r\n\r\n'.repeat(5000);
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const post = head(server, '/teams', ...lines).replace('GET', 'POST') + body;
    const posted = await rawExchange(server, post.repeat(20) + last);
    expect(answersIn(posted).statuses).toEqual([...Array(20).fill(201), 200]);
  });

  it('end the connection when there are more, and the others are not looked at', async () => {
    const server = await servers.start({ limits: { pipelined: 3 }, faults: ['GET /held=delay:1h'] });
    const client = sockets.open(server).send(head(server, '/held').repeat(5000));
    await client.ended;
    expect((await server.control.faults.get())[0]?.hits).toBe(3);
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
  });
});

it('1,000 connections that send slowly or read nothing lock nobody out', async () => {
  const server = await servers.start();
  const opened = Array.from({ length: 1010 }, () => sockets.open(server));
  await Promise.all(opened.slice(0, 1000).map(({ socket }) => once(socket, 'connect')));
  for (const [nth, client] of opened.entries()) {
    client.send(nth % 2 === 0 ? 'GET /teams HTT' : writeHead('POST /teams', 'Content-Length: 60000'));
    client.socket.pause();
  }
  const start = performance.now();
  for (const auth of ['hmac', 'basic'] as const) {
    const made = await new Caller(server).send('POST', '/teams', { body: { name: auth }, auth });
    expect(made.status).toBe(201);
  }
  expect(performance.now() - start).toBeLessThan(6000);
});

it('a client that takes nothing of its answers is cut off', async () => {
  // Nothing else ends its connection within the time of this test.
  const server = await servers.start({
    limits: { unread: 200, headers: 3_600_000, request: 3_600_000 },
    quotas: { connections: 60 },
  });
  const caller = new Caller(server);
  for (let made = 0; made < 60; made += 1)
    expect((await caller.send('POST', '/connections', { body: largeConnection(60_000) })).status).toBe(201);
  // More than the system keeps for it.
  const socket = sockets.open(server).send(head(server, '/connections?limit=60').repeat(10)).socket.pause();
  const ended = new Promise((resolve) => socket.once('close', resolve));
  // Its own end learns of it when it sends again; seldom enough that this is not taken for progress.
  const probe = setInterval(() => socket.write('x'), 1000);
  await ended;
  clearInterval(probe);
});

describe('large answers', () => {
  it('beyond what is held at once are 503 with Retry-After, small ones never', async () => {
    const server = await servers.start({ limits: { heldBytes: 60_000 } });
    const caller = new Caller(server);
    const made = await caller.send('POST', '/connections', { body: largeConnection(50_000) });
    expect(made.status).toBe(201);
    const refused = await caller.send('GET', `/connections/${at(made.json, 'id')}`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
    // Its own answer could not be refused any more.
    const second = await caller.send('POST', '/connections', { body: largeConnection(60_000) });
    expect([second.status, second.headers['retry-after']]).toEqual([503, '1']);
  });

  it('count until they are sent, also over a connection that is kept', async () => {
    const server = await servers.start({ limits: { heldBytes: 150_000 } });
    const made = await new Caller(server).send('POST', '/connections', { body: largeConnection(50_000) });
    const client = sockets.open(server);
    for (let time = 0; time < 4; time += 1) {
      client.received = '';
      client.send(head(server, `/connections/${at(made.json, 'id')}`));
      await expect.poll(() => client.received).toMatch(/\}$/);
      expect(answersIn(client.received).statuses).toEqual([200]);
    }
  });
});
