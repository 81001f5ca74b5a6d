import { expect, it } from 'vitest';
import { Caller } from '../support/caller.js';
import { useServers } from '../support/servers.js';

const servers = useServers();
const origin = 'http://localhost:5173';
const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };

it('the pages of given origins may send requests and read the responses, and no others', async () => {
  const server = await servers.start({ cors: [origin] });
  const caller = new Caller(server, { atFault: true });
  const preflight = await caller.send('OPTIONS', '/teams', { auth: 'none', headers: { origin, ...asked } });
  expect(preflight).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'x-api-key',
      'access-control-allow-methods': expect.stringContaining('POST'),
    },
  });
  const listed = await caller.send('GET', '/teams', { headers: { origin } });
  expect(listed.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
  const other = { origin: 'http://example.com' };
  expect((await caller.send('GET', '/teams', { headers: other })).headers).not.toHaveProperty(
    'access-control-allow-origin',
  );
  const refused = await caller.send('OPTIONS', '/teams', { auth: 'none', headers: { ...other, ...asked } });
  expect(refused.status).toBe(401);
});
