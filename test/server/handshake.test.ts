import { connect as connectPlainly } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { expect, it } from 'vitest';
import type { LogEntry } from '../../src/server/index.js';
import { rawExchange } from './support/raw-exchange.js';
import { useServers } from './support/start.js';

const servers = useServers();

async function withLog(http: boolean) {
  const log: LogEntry[] = [];
  const server = await servers.start({ http, onLog: (entry) => log.push(entry) });
  const { hostname: host, port } = new URL(server.url);
  const texts = () => log.map((entry) => (entry.event === 'request' ? entry.reason : entry.message));
  return { server, address: { host, port: Number(port) }, texts };
}

it.each<[string, ConnectionOptions | undefined, string]>([
  ['plain HTTP', undefined, 'a client sent plain HTTP to the HTTPS port: its URL must begin with https://'],
  ['HTTP/2', { ALPNProtocols: ['h2'], rejectUnauthorized: false }, 'HTTP/2'],
  ['no trust', { ALPNProtocols: ['http/1.1'] }, 'TLS handshake failed'],
])('one line of the log says what a client wanted on the HTTPS port: %s', async (_name, options, text) => {
  const { address, texts } = await withLog(false);
  const socket = options === undefined ? connectPlainly(address) : connect({ ...address, ...options });
  socket.on('error', () => undefined);
  if (options === undefined) socket.write('GET /quotas HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(texts).toHaveLength(1);
  expect(texts()[0]).toContain(text);
  socket.destroy();
});

it('HTTP/2 without TLS is said to be that', async () => {
  const { server, texts } = await withLog(true);
  await rawExchange(server, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  await expect.poll(texts).toEqual([expect.stringContaining('HTTP/2, but the server speaks HTTP/1.1')]);
});
