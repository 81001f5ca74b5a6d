import { expect, it } from 'vitest';
import { at, Caller, quotaHeadersOf } from '../support/caller.js';
import { useServers } from '../support/servers.js';

const servers = useServers();

/** A server whose clock stands still until it is moved. */
async function limited(requests: number, window: number) {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const server = await servers.start({ clock: () => now, rateLimit: { requests, window } });
  const caller = new Caller(server);
  const timestamp = () => String(Math.floor(now / 1000));
  return {
    caller,
    get: (target = '/quotas') => caller.send('GET', target, { timestamp: timestamp() }),
    post: (target: string, body: object) => caller.send('POST', target, { timestamp: timestamp(), body }),
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

it("refuses requests over the limit with 429, the reference's message and Retry-After", async () => {
  const { get, wait } = await limited(2, 10_000);
  expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
  wait(3500);
  const refused = await get();
  expect(refused.status).toBe(429);
  expect(refused.json).toEqual({ statusCode: 429, message: 'Too Many Requests' });
  expect(refused.headers['retry-after']).toBe('7');
  wait(6499);
  expect((await get()).headers['retry-after']).toBe('1');
  wait(1);
  expect((await get()).status).toBe(200);
});

it('counts each key by itself, after authentication and before the route and the body, and has quota headers', async () => {
  const { caller, get, post } = await limited(3, 60_000);
  const credential = { ...caller.credential, secret: '0'.repeat(64) };
  expect((await caller.send('GET', '/quotas', { auth: 'basic', credential })).status).toBe(401);
  const created = await post('/api-keys', { name: 'other' });
  const other = { keyId: String(at(created.json, 'id')), secret: String(at(created.json, 'secret')) };
  expect((await get()).status).toBe(200);
  expect((await caller.send('GET', '/quotas', { auth: 'basic', credential: other })).status).toBe(200);
  const disabling = { auth: 'basic', body: { enabled: false } } as const;
  expect((await caller.send('PATCH', `/api-keys/${other.keyId}`, disabling)).status).toBe(200);
  expect((await get('/nothing')).status).toBe(429);
  const refused = await post('/teams', { name: 1 });
  expect([refused.status, ...quotaHeadersOf(refused)]).toEqual([429, '20', '0', '20']);
  for (let sent = 0; sent < 5; sent += 1) {
    expect((await caller.send('GET', '/quotas', { auth: 'basic', credential: other })).status).toBe(403);
  }
});
