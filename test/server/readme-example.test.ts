import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/client/index.js';
import { type RunningServer, startServer } from '../../src/server/index.js';

let server: RunningServer;
let client: Client; // or your own client
beforeAll(async () => {
  server = await startServer();
  const { url, keyId, secret, caFile } = server;
  client = createClient({ baseUrl: url, keyId, secret, caFile });
});
beforeEach(() => server.control.reset());
afterAll(async () => {
  await client.close();
  await server.close();
});

it('retries when the service fails once', async () => {
  await server.control.faults.set(['GET /teams=503x1']);
  expect((await client.teams.list()).data).toEqual([]);
});

it('reports that a quota is full', async () => {
  await server.control.quotas.set({ teams: 0 });
  await expect(client.teams.create({ name: 'ops' })).rejects.toMatchObject({ code: 'quota_exceeded' });
});
