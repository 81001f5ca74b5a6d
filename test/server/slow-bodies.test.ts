import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { signatureHeader } from '../../src/signing/index.js';
import { at, type Call, Caller } from './support/caller.js';
import { answersIn, authorize, writeHead } from './support/raw-exchange.js';
import { type SocketClient, useSockets } from './support/socket-client.js';
import { useServer, useServers } from './support/start.js';

const servers = useServers();
const sockets = useSockets();
const shared = useServer();

const post = (...lines: string[]) => writeHead('POST /teams', ...lines);

/** What authenticates, as far as it can be seen before the body is there. */
function unprovenHead({ keyId }: Pick<RunningServer, 'keyId'>): string[] {
  return [
    `${signatureHeader.key}: ${keyId}`,
    `${signatureHeader.timestamp}: ${Math.floor(Date.now() / 1000)}`,
    `${signatureHeader.signature}: ${'0'.repeat(64)}`,
    'Content-Type: application/json',
  ];
}

/** Clients that begin a body with one byte. */
function slowClients(server: RunningServer, count: number, ...lines: string[]): SocketClient[] {
  return Array.from({ length: count }, () => sockets.open(server).send(`${post(...lines)}{`));
}

/** The same, once the server is about to read their bodies, or has refused to. */
async function readClients(
  server: RunningServer,
  count: number,
  ...lines: string[]
): Promise<SocketClient[]> {
  const clients = Array.from({ length: count }, async () => {
    const client = sockets.open(server).send(post(...lines, 'Expect: 100-continue'));
    await expect.poll(() => client.received).not.toBe('');
    if (client.received.includes('100 Continue')) client.received = '';
    return client.send('{');
  });
  return await Promise.all(clients);
}

describe('before the body is there', () => {
  const wrong = { keyId: 'key_none', secret: 's' };
  const shortened = (line: string) => line.replace(/0{64}/, 'x');
  // All of them, without bodies: test/signing/scheme.test.ts.
  const refusals: [string, number, string, (server: RunningServer) => string[]][] = [
    ['no credential', 401, 'Invalid API key', () => []],
    ['Basic', 401, 'Invalid API key', () => [authorize(wrong)]],
    ['an unknown key, HMAC', 401, 'Invalid API key', () => unprovenHead(wrong)],
    ['no signature', 401, 'Invalid API signature', (server) => unprovenHead(server).map(shortened)],
  ];

  it.each(refusals)(
    '%s is answered with %i, also to a client that waits for leave to send',
    async (_name, status, message, lines) => {
      const { server } = shared;
      const body = { statusCode: status, message };
      for (const length of ['Content-Length: 900000', 'Content-Length: 9', 'Transfer-Encoding: chunked']) {
        const answer = await sockets
          .open(server)
          .send(post(...lines(server), length))
          .answer();
        expect(answersIn(answer)).toEqual({ statuses: [status], body });
      }
      const client = sockets
        .open(server)
        .send(post(...lines(server), 'Content-Length: 9', 'Expect: 100-continue'));
      expect(await client.end()).toEqual({ statuses: [status], body });
      expect(client.received).toMatch(/\r\nconnection: close\r\n/i);
    },
  );
});

describe('a refusal before the body', () => {
  const wrong: Call = { auth: 'basic', credential: { keyId: 'key_none', secret: 's' } };

  it('is read by clients that send all of it first', async () => {
    const server = await servers.start({ http: false });
    const caller = new Caller(server);
    // More than the system keeps for the two ends.
    const body = 'x'.repeat(7 * 1024 * 1024);
    for (const headers of [{ connection: 'close' }, { connection: 'keep-alive' }]) {
      for (const chunked of [false, true]) {
        const answer = await caller.send('POST', '/teams', { ...wrong, headers, body, chunked });
        expect(answer.json).toEqual({ statusCode: 401, message: 'Invalid API key' });
      }
    }
  });

  it('leaves the connection to the next request, whose place is after the body', async () => {
    const server = await servers.start();
    const smuggled = 'GET / HTTP/1.1\r\n\r\n'.repeat(1000);
    const client = sockets.open(server).send(post('Content-Length: 20000') + smuggled);
    await client.answer();
    const next = writeHead('GET /quotas', 'Connection: close', authorize(server));
    client.send('x'.repeat(20_000 - smuggled.length) + next);
    await client.ended;
    expect(answersIn(client.received).statuses).toEqual([401, 200]);
  });

  it('does not read on for ever', async () => {
    const server = await servers.start();
    const client = sockets.open(server).send(post('Content-Length: 1000000000'));
    await client.answer();
    const mebibyte = Buffer.alloc(1024 * 1024);
    const sendOn = () => {
      if (!client.socket.destroyed) client.socket.write(mebibyte, sendOn);
    };
    sendOn();
    await client.ended;
    expect(client.socket.bytesWritten).toBeLessThan(100 * mebibyte.length);
  });

  it('is journaled with a small body that came along, and with the length of one that did not', async () => {
    const server = await servers.start();
    await new Caller(server).send('POST', '/teams', { ...wrong, body: { name: 'a' } });
    await sockets.open(server).send(post('Content-Length: 900000')).answer();
    const { journal } = server.control;
    const entries = await journal.get();
    expect(entries).toMatchObject([
      { bodyBytes: 12, body: { name: 'a' }, refusal: { check: 'key' } },
      { bodyBytes: 900_000, refusal: { check: 'credentials' } },
    ]);
    const curls = await Promise.all(entries.map(async ({ id }) => (await journal.find(id)).curl));
    expect(curls).toEqual([expect.stringContaining('{"name":"a"}'), expect.stringContaining('@BODY')]);
  });
});

describe('slow bodies without a valid key', () => {
  const few = { connections: 40 };

  /** Nobody else is kept waiting: each of these needs a connection, and one a body. */
  async function expectOthersAnswered(server: RunningServer): Promise<void> {
    const caller = new Caller(server);
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
    for (const auth of ['hmac', 'basic'] as const) {
      expect((await caller.send('POST', '/teams', { body: { name: auth }, auth })).status).toBe(201);
    }
  }

  it.each<[string, (server: RunningServer) => string[]]>([
    ['no credential', () => []],
    ['the ID of a key', unprovenHead],
  ])('with %s leave their connections to others, however many there are', async (_name, lines) => {
    const server = await servers.start({ limits: few });
    const announced = ['Content-Length: 900000', 'Content-Length: 9', 'Transfer-Encoding: chunked'];
    const all = announced.flatMap((length) => slowClients(server, 20, ...lines(server), length));
    await readClients(server, 45, ...lines(server), 'Content-Length: 9');
    await expectOthersAnswered(server);
    for (const client of all) client.send('{');
    await expectOthersAnswered(server);
  });

  it('give way, and are told so, before one that is fast, to which nothing happens', async () => {
    const server = await servers.start({ limits: few });
    const slow = await readClients(server, 30, ...unprovenHead(server), 'Content-Length: 9');
    const [fast] = await readClients(server, 1, ...unprovenHead(server), 'Content-Length: 900000');
    fast?.send('x'.repeat(800_000));
    slowClients(server, 60, ...unprovenHead(server), 'Content-Length: 9');
    await expectOthersAnswered(server);
    fast?.send('x'.repeat(100_000 - 1));
    expect(answersIn((await fast?.answer()) ?? '')).toMatchObject({
      statuses: [401],
      body: { message: 'Invalid API signature' },
    });
    await expect.poll(() => slow.filter(({ socket }) => socket.destroyed).length).toBeGreaterThan(15);
    const { received } = slow.find(({ socket }) => socket.destroyed) ?? { received: '' };
    const told = { statuses: [503], body: { statusCode: 503, message: 'Service Unavailable' } };
    expect(answersIn(received)).toEqual(told);
    expect(received).toMatch(/\r\nretry-after: 1\r\n/i);
    const refusal = { check: 'body', reason: expect.stringContaining('more slowly') };
    expect((await server.control.journal.get({ status: 503 }))[0]).toMatchObject({ refusal });
  });

  it('leave the memory for bodies to others', async () => {
    const server = await servers.start({ limits: { heldBytes: 1_500_000 }, quotas: { connections: 5 } });
    const slow = slowClients(server, 20, ...unprovenHead(server), 'Content-Length: 900000');
    for (const client of slow) client.send('x'.repeat(200_000));
    await Promise.race(slow.map(({ ended }) => ended));
    const config = { padding: 'x'.repeat(900_000) };
    const body = { name: 'large', type: 'x', config };
    const made = await new Caller(server).send('POST', '/connections', { body, auth: 'basic' });
    expect([made.status, at(made.json, 'message')]).toEqual([201, undefined]);
  });

  it('of a valid key do not give way: Basic shows it before the body', async () => {
    const server = await servers.start({ limits: { connections: 2 } });
    const lines = [authorize(server), 'Content-Type: application/json'];
    const busy = await readClients(server, 2, ...lines, 'Content-Length: 12');
    await expect.poll(async () => (await new Caller(server).send('GET', '/quotas')).status).toBe(503);
    for (const client of busy) client.send('"name":"a"}');
    const answers = await Promise.all(busy.map((client) => client.answer()));
    expect(answers.map((answer) => answersIn(answer).statuses)).toEqual([[201], [201]]);
  });
});
