import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import { ServerClock } from '../../src/server/control/clock.js';
import { at, Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();
const machineTime = Date.UTC(2030, 0, 1);

/** The statuses of requests whose timestamps are that many seconds off the machine's clock. */
async function statusesAt(options: object, offsets: readonly number[]): Promise<number[]> {
  const caller = new Caller(await servers.start({ clock: () => machineTime, ...options }));
  const statuses = [];
  for (const offset of offsets) {
    const timestamp = String(machineTime / 1000 + offset);
    statuses.push((await caller.send('GET', '/quotas', { timestamp })).status);
  }
  return statuses;
}

describe('the clock of a server', () => {
  it('can be ahead or behind: timestamps are judged by it, and answers and records dated', async () => {
    const behind = { clockOffset: -3_600_000 };
    expect(await statusesAt(behind, [-3901, -3900, -3600, -3300, -3299, 0])).toEqual([
      401, 200, 200, 200, 401, 401,
    ]);
    expect(await statusesAt({ clockOffset: 3_600_000 }, [0, 3300, 3900])).toEqual([401, 200, 200]);
    const caller = new Caller(await servers.start({ clock: () => machineTime, ...behind }));
    const created = await caller.send('POST', '/teams', { auth: 'basic', body: { name: 'a' } });
    expect(created.headers.date).toBe('Mon, 31 Dec 2029 23:00:00 GMT');
    expect(at(created.json, 'created_at')).toBe('2029-12-31T23:00:00.000Z');
  });

  it('tolerates as much as it is told to', async () => {
    expect(await statusesAt({ maxSkew: 0 }, [-1, 0, 1])).toEqual([401, 200, 401]);
    expect(await statusesAt({ maxSkew: 1000 }, [-1001, -1000, 1000, 1001])).toEqual([401, 200, 200, 401]);
    // The tolerance of the reference, on both sides.
    expect(await statusesAt({}, [-301, -300, 300, 301])).toEqual([401, 200, 200, 401]);
  });

  it('does not change when certificates are good: clients judge them by their own', async () => {
    const server = await servers.start({ http: false, clockOffset: 20 * 365 * 86_400_000 });
    expect((await new Caller(server).send('GET', '/quotas', { auth: 'basic' })).status).toBe(200);
  });

  it.each([
    { clockOffset: Number.NaN },
    { clockOffset: 1e15 },
    { clockOffset: -1e15 },
    { maxSkew: -1 },
    { maxSkew: Number.NaN },
    { rateLimit: { requests: 0, window: 1 } },
    { rateLimit: { requests: 1.5, window: 1 } },
    { rateLimit: { requests: 1, window: 0 } },
  ])('refuses %j', async (options) => {
    await expect(servers.start(options)).rejects.toThrow(UsageError);
  });

  it('runs on from where it is set, and back to where it began', () => {
    let source = 1000;
    const clock = new ServerClock(() => source, 50);
    expect(clock.now()).toBe(1050);
    clock.set(10_000);
    source += 5;
    expect(clock.now()).toBe(10_005);
    clock.reset();
    expect(clock.now()).toBe(1055);
  });
});
