import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openConnector } from '../../../src/client/network/connector.js';

const body = Buffer.from(Array.from({ length: 1024 * 1024 }, (_, at) => (at * 31) % 251));

it('a socket of the connector reads at most 16 KiB beyond a buffer of 16 KiB, and every byte', async () => {
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = Object(server.address()) satisfies Partial<AddressInfo>;
  const connector = openConnector({ origin: `http://127.0.0.1:${port}`, env: {} });
  onTestFinished(() => connector.close());
  const socket = await new Promise<Socket>((resolve, reject) => {
    const target = { hostname: '127.0.0.1', protocol: 'http:', port: String(port) };
    connector.connect(target, (...[error, opened]) => (error === null ? resolve(opened) : reject(error)));
  });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const received: Buffer[] = [];
  let most = 0;
  for await (const chunk of socket) {
    received.push(chunk);
    // Several turns without a reader: what comes meanwhile stays with the system.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, chunk.length, socket.readableLength);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(2 * 16_384);
  expect(Buffer.concat(received).subarray(-body.length).equals(body)).toBe(true);
});
