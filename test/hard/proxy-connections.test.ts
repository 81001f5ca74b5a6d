import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { basicAuthorization } from '../../src/signing/index.js';
import { linesOf, proxyTo } from '../proxy/support/start-proxy.js';

it('orgctl proxy serves 1,000 connections at once', async () => {
  const server = await startServer({ http: true });
  const proxy = await proxyTo(server.url, { timeout: 60_000 });
  const sockets = Array.from({ length: 1000 }, () => connect(proxy.port, '127.0.0.1'));
  const lines = linesOf(
    'GET /quotas HTTP/1.1',
    `Host: 127.0.0.1:${proxy.port}`,
    `Authorization: ${basicAuthorization(server)}`,
  );
  const statuses = await Promise.all(
    sockets.map(async (socket) => {
      socket.write(lines);
      const [chunk] = await once(socket, 'data');
      return String(chunk).slice(9, 12);
    }),
  );
  for (const socket of sockets) socket.destroy();
  expect(new Set(statuses)).toEqual(new Set(['200']));
  await server.close();
});
