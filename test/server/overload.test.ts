import { connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import {
  FailedAttempts,
  failureDelay,
  type SlowFailureOptions,
  slowFailures,
} from '../../src/server/admission/failed-attempts.js';
import { HttpError } from '../../src/server/http/http-error.js';
import { UnprovenRequests } from '../../src/server/http/unproven-requests.js';
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
  const database = 'x '.repeat(length / 2);
  const config = { host: 'h', port: 5432, database, user: 'u', password: 'p', ssl: true };
  return { name: 'a', type: 'postgresql', config };
}

/** A connection that sends, and reads nothing. */
function unreading(server: RunningServer, text: string): Socket {
  return sockets.open(server).send(text).socket.pause();
}

describe('requests that follow one another without an answer', () => {
  it('are all answered, in order, however many are sent at once', async () => {
    const server = await servers.start({ limits: { pipelined: 3 } });
    const many = [...Array(500).keys()].map((turn) => head(server, turn % 2 === 0 ? '/quotas' : '/nowhere'));
    const last = head(server, '/quotas', 'Connection: close');
    const { statuses } = answersIn(await rawExchange(server, many.join('') + last));
    expect(statuses).toEqual([...many.map((_, turn) => (turn % 2 === 0 ? 200 : 404)), 200]);
  });

  it('with bodies are, too, which look like heads, or which Node had to stop reading', async () => {
    // As long as the first one is delayed, nobody takes its body.
    const faults = ['POST /teams=delay:50msx1'] as const;
    const limits = { pipelined: 3, requests: 1 };
    const server = await servers.start({ limits, quotas: { teams: 100 }, faults });
    for (const padding of [' '.repeat(20_000), '\r\n\r\n'.repeat(5000)]) {
      const body = JSON.stringify({ name: 'a' }) + padding;
      const length = `Content-Length: ${body.length}`;
      const post = head(server, '/teams', 'Content-Type: application/json', length).replace('GET', 'POST');
      const last = head(server, '/teams', 'Connection: close');
      const answer = await rawExchange(server, (post + body).repeat(20) + last);
      expect(answersIn(answer).statuses).toEqual([...Array(20).fill(201), 200]);
    }
  });

  it.each([
    ['not read while as many as may be wait for their answers', { pipelined: 3 }, 1, 1000, 10],
    ['one at a time when there are too many in all', { requests: 4 }, 6, 100, 20],
  ] as const)('are %s', async (_what, limits, clients, sent, fewer) => {
    const server = await servers.start({ limits, faults: ['GET /held=delay:1h'] });
    for (let each = 0; each < clients; each += 1) unreading(server, head(server, '/held').repeat(sent));
    const hits = async () => (await server.control.faults.get())[0]?.hits ?? 0;
    await expect.poll(hits).toBeGreaterThanOrEqual(clients);
    // Another one, which comes after all that it will read.
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
    expect(await hits()).toBeLessThan(fewer);
  });
});

it('a client that takes nothing of its answers is cut off', async () => {
  // Nothing else ends its connection within the time of this test.
  const server = await servers.start({ limits: { unread: 200, headers: 3_600_000, request: 3_600_000 } });
  const made = await new Caller(server).send('POST', '/connections', { body: largeConnection(900_000) });
  // More than the system keeps for it.
  const socket = unreading(server, head(server, `/connections/${at(made.json, 'id')}`).repeat(40));
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await expect.poll(async () => (await server.control.journal.get({ limit: 1 })).at(-1)?.status).toBe(200);
  // Its own end learns of it when it sends again; seldom enough that this is not taken for progress.
  const probe = setInterval(() => socket.write('x'), 1000);
  await ended;
  clearInterval(probe);
});

describe('failed authentications', () => {
  it('of one address are slowed down, and what is authenticated is not', async () => {
    const server = await servers.start({ limits: { loopbackFailures: 2 } });
    const caller = new Caller(server);
    const fail = () => caller.send('GET', '/quotas', { auth: 'none' });
    expect([(await fail()).status, (await fail()).status]).toEqual([401, 401]);
    const slow = fail().then(({ status }) => status);
    const order: string[] = [];
    await Promise.all([
      slow.then((status) => order.push(`failed: ${status}`)),
      caller.send('GET', '/quotas').then(({ status }) => order.push(`authenticated: ${status}`)),
    ]);
    expect(order).toEqual(['authenticated: 200', 'failed: 401']);
  });

  it('are counted for each address, and forgiven with time', () => {
    let now = 0;
    const attempts = new FailedAttempts({ peerFailures: 2, loopbackFailures: 4 }, () => now);
    const from = (remoteAddress: string) => {
      const socket = connect({ port: 9, host: '127.0.0.1', lookup: () => undefined });
      socket.on('error', () => undefined).destroy();
      return attempts.count(Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress }));
    };
    expect([1, 2, 3].map(() => from('192.0.2.1'))).toEqual([0, 0, failureDelay]);
    expect(from('192.0.2.2')).toBe(0);
    expect([1, 2, 3, 4, 5].map(() => from('::ffff:127.0.0.1'))).toEqual([0, 0, 0, 0, failureDelay]);
    now = 30_000;
    expect([1, 2].map(() => from('192.0.2.1'))).toEqual([0, failureDelay]);
    now = 600_000;
    expect([1, 2, 3].map(() => from('192.0.2.1'))).toEqual([0, 0, failureDelay]);
  });

  it('can give way until they are answered, not only until their delay ends', async () => {
    const unproven = new UnprovenRequests();
    const refuse = async () => {
      throw new HttpError(401);
    };
    const app = fastify();
    const failedAttempts = new FailedAttempts({ peerFailures: 0, loopbackFailures: 0 });
    const postpone: SlowFailureOptions['postpone'] = (_response, _milliseconds, work) => work();
    app.addHook('preHandler', slowFailures(refuse, { failedAttempts, postpone, unproven }));
    const held: boolean[] = [];
    app.setErrorHandler((_error, { raw }, reply) => {
      held.push(unproven.of(raw.socket) !== undefined);
      reply.raw.once('close', () => held.push(unproven.of(raw.socket) !== undefined));
      return reply.status(401).send('');
    });
    app.get('/', async () => '');
    const { status } = await fetch(await app.listen({ host: '127.0.0.1', port: 0 }));
    await app.close();
    expect([status, ...held]).toEqual([401, true, false]);
  });
});

describe('large answers', () => {
  it('beyond what is held at once are 503 with Retry-After, small ones never', async () => {
    const server = await servers.start({ limits: { heldBytes: 300_000 } });
    const caller = new Caller(server);
    const made = await caller.send('POST', '/connections', { body: largeConnection(200_000) });
    expect(made.status).toBe(201);
    const refused = await caller.send('GET', `/connections/${at(made.json, 'id')}`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
  });

  it('count until they are sent, also over a connection that is kept', async () => {
    const server = await servers.start({ limits: { heldBytes: 900_000 } });
    const made = await new Caller(server).send('POST', '/connections', { body: largeConnection(200_000) });
    const client = sockets.open(server);
    const statuses = [];
    for (let time = 0; time < 4; time += 1) {
      client.received = '';
      client.send(head(server, `/connections/${at(made.json, 'id')}`));
      await expect.poll(() => client.received).toMatch(/\}$/);
      statuses.push(...answersIn(client.received).statuses);
    }
    expect(statuses).toEqual([200, 200, 200, 200]);
  });
});
