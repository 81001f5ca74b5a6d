import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { signedHeaders } from '../../src/signing/index.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ http: true });
});
beforeEach(() => server.control.reset());
afterAll(() => server.close());

// The client that is to be tested.
function get(target: string): Promise<Response> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const request = { method: 'GET', target, timestamp, contentType: '', body: Buffer.alloc(0) };
  return fetch(`${server.url}${target}`, { headers: signedHeaders(server, request) });
}

it('sees the service fail once, and then answer', async () => {
  server.control.faults.set(['GET /quotas=503x1']);
  expect((await get('/quotas')).status).toBe(503);
  expect((await get('/quotas')).status).toBe(200);
});

it('reads that a quota is full', async () => {
  await server.control.quotas.set({ teams: 0 });
  expect((await get('/teams')).headers.get('x-quota-remaining')).toBe('0');
});

it('finds out why it is refused', async () => {
  server.control.clock.advance('10m');
  expect((await get('/quotas')).status).toBe(401);
  const [entry] = server.control.journal.get({ refused: true });
  expect(entry?.refusal?.reason).toMatch(/seconds behind the server's clock; the limit is 300/);
});
