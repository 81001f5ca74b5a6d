import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Limits, LogEntry, RunningServer } from '../../src/server/index.js';
import { Caller } from './support/caller.js';
import { authorize, writeHead } from './support/raw-exchange.js';
import { type SocketClient, useSockets } from './support/socket-client.js';
import { useServers } from './support/start.js';

const servers = useServers();
const sockets = useSockets();

const head = (server: RunningServer, method: string, ...lines: string[]) =>
  writeHead(`${method} /teams`, authorize(server), ...lines);

describe('what is slow is cut off', () => {
  const timeout = { statuses: [408], body: { statusCode: 408, message: 'Request Timeout' } };

  function start(limits: Partial<Limits>, http = true): Promise<RunningServer> {
    return servers.start({ limits, http });
  }

  it('a connection without a request, the headers of a later one, and a body', async () => {
    const server = await start({ headers: 100, request: 200 });
    const clients = [1, 2, 3].map(() => sockets.open(server));
    const [, later, body] = clients;
    body?.send(`${head(server, 'POST', 'Content-Length: 12')}{`);
    later?.send(head(server, 'GET'));
    await later?.head();
    later?.send('GET /teams HTT');
    const ends = await Promise.all(clients.map((client) => client.end()));
    expect(ends).toEqual([timeout, { ...timeout, statuses: [200, 408] }, timeout]);
  });

  it('a connection that is kept and not used', async () => {
    const server = await start({ idle: 50 });
    const client = sockets.open(server).send(head(server, 'GET'));
    expect((await client.end()).statuses).toEqual([200]);
  });

  it('a TLS handshake', async () => {
    const server = await start({ handshake: 100 }, false);
    expect(await sockets.open(server).end()).toEqual({ statuses: [], body: undefined });
  });

  it('but not before 10 seconds for headers and 30 for a request, where nothing else is asked for', async () => {
    const server = await servers.start({ http: true });
    const told = new Promise((resolve) => {
      const onRequest = (message: unknown) => resolve(message);
      subscribe('http.server.request.start', onRequest);
      onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
    });
    await new Caller(server).send('GET', '/quotas');
    // Node's own server, which does the cutting off.
    expect(await told).toMatchObject({ server: { headersTimeout: 10_000, requestTimeout: 30_000 } });
  });
});

describe('connections', () => {
  const limits = { connections: 3 };

  /** Connections that are in the midst of a request each. */
  async function busyClients(server: RunningServer, count: number): Promise<SocketClient[]> {
    const clients = Array.from({ length: count }, () => sockets.open(server));
    for (const client of clients) {
      client.send(head(server, 'POST', 'Content-Length: 12', 'Expect: 100-continue'));
      expect(await client.head()).toContain('100 Continue');
    }
    return clients;
  }

  it('beyond the limit replace the one whose request is unfinished for the longest', async () => {
    const server = await servers.start({ limits });
    const [oldest, ...others] = await busyClients(server, 3);
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
    await oldest?.ended;
    for (const client of others) client.send('{"name":"a"}');
    // None of them names a content type.
    for (const client of others) await expect.poll(() => client.received).toContain('HTTP/1.1 415');
  });

  it('give way over TLS, too, also those in the midst of a handshake', async () => {
    const server = await servers.start({ limits, http: false });
    const clients = [1, 2, 3].map(() => sockets.open(server));
    await Promise.all(clients.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
    await clients[0]?.ended;
  });
});

describe('sizes', () => {
  it('the line and the headers have theirs, which can be set', async () => {
    const server = await servers.start({ limits: { headerBytes: 2000 } });
    for (const lines of [[`X: ${'x'.repeat(2000)}`], Array.from({ length: 1500 }, () => 'X: y')]) {
      const client = sockets.open(server);
      client.send(head(server, 'GET', ...lines));
      const body = { statusCode: 431, message: 'Request Header Fields Too Large' };
      expect(await client.end()).toEqual({ statuses: [431], body });
    }
  });

  it('bodies under way are bounded all together', async () => {
    const server = await servers.start({ limits: { heldBytes: 1_000_000 } });
    const clients = Array.from({ length: 20 }, () => sockets.open(server));
    for (const client of clients) {
      client.send(head(server, 'POST', 'Content-Length: 60000') + 'x'.repeat(59_999));
    }
    // Whoever came too late is answered; the others are still waited for.
    const [refused] = await Promise.race(clients.map(async (client) => [await client.end()]));
    expect(refused).toEqual({ statuses: [503], body: { statusCode: 503, message: 'Service Unavailable' } });
  });
});

it('a client that leaves in the midst of a body is no error of the server', async () => {
  const log: LogEntry[] = [];
  const server = await servers.start({ onLog: (entry) => log.push(entry) });
  const client = sockets.open(server);
  client.send(`${head(server, 'POST', 'Expect: 100-continue', 'Content-Length: 12')}{`);
  await client.head();
  client.socket.destroy();
  await expect.poll(() => log).toMatchObject([{ event: 'request', status: 400 }]);
});
