import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors/errors.js';
import { at, Caller } from './support/caller.js';
import { useControlledServers } from './support/controller.js';

const { servers, started } = useControlledServers();
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
    expect(await statusesAt(behind, [-3901, -3900, -3300, -3299])).toEqual([401, 200, 200, 401]);
    const caller = new Caller(await servers.start({ clock: () => machineTime, ...behind }));
    const created = await caller.send('POST', '/teams', { auth: 'basic', body: { name: 'a' } });
    expect(created.headers.date).toBe('Mon, 31 Dec 2029 23:00:00 GMT');
    expect(at(created.json, 'created_at')).toBe('2029-12-31T23:00:00.000Z');
  });

  it('tolerates as much as it is told to', async () => {
    expect(await statusesAt({ maxSkew: 0 }, [-1, 0, 1])).toEqual([401, 200, 401]);
    expect(await statusesAt({ maxSkew: 1000 }, [-1001, -1000, 1000, 1001])).toEqual([401, 200, 200, 401]);
  });

  it('does not change when certificates are good: clients judge them by their own', async () => {
    const server = await servers.start({ http: false, clockOffset: 20 * 365 * 86_400_000 });
    expect((await new Caller(server).send('GET', '/quotas', { auth: 'basic' })).status).toBe(200);
  });

  it.each([
    ...[Number.NaN, 1e15, -1e15].map((clockOffset) => ({ clockOffset })),
    ...[-1, Number.NaN].map((maxSkew) => ({ maxSkew })),
    ...[0, 1.5].map((requests) => ({ rateLimit: { requests, window: 1 } })),
    { rateLimit: { requests: 1, window: 0 } },
  ])('refuses %j', async (options) => {
    await expect(servers.start(options)).rejects.toThrow(UsageError);
  });
});

describe('the clock through the control API', () => {
  it('is told, set and advanced, and judges the timestamps', async () => {
    const { control, caller } = await started();
    const set = await control('PUT', '/clock', { time: '2030-01-01T00:00:00Z' });
    expect(set.json).toMatchObject({ time: expect.stringMatching(/^2030-01-01T00:00:0/) });
    expect((await caller.send('GET', '/quotas')).status).toBe(401);
    const timestamp = String(Date.UTC(2030, 0, 1) / 1000);
    const answer = await caller.send('GET', '/quotas', { timestamp });
    expect(answer.status).toBe(200);
    expect(answer.headers.date).toMatch(/^Tue, 01 Jan 2030 00:00/);
    await control('POST', '/clock/advance', { by: '6m' });
    expect((await caller.send('GET', '/quotas', { timestamp })).status).toBe(401);
    await control('POST', '/clock/advance', { by: '-6m' });
    expect((await caller.send('GET', '/quotas', { timestamp })).status).toBe(200);
    expect((await control('GET', '/clock')).json).toMatchObject({
      time: expect.stringMatching(/^2030-01-01T00:00/),
      offset: expect.any(Number),
    });
  });

  it('takes times and durations as numbers, dates and text', async () => {
    const { server } = await started({ clock: () => 1_000_000 });
    const { clock } = server.control;
    expect(await clock.set(5000)).toEqual({ time: '1970-01-01T00:00:05.000Z', offset: -995_000 });
    expect((await clock.advance(1500)).time).toBe('1970-01-01T00:00:06.500Z');
    expect((await clock.advance('1h')).time).toBe('1970-01-01T01:00:06.500Z');
    expect((await clock.set('2030-06-01')).time).toBe('2030-06-01T00:00:00.000Z');
    for (const none of ['2030-13-01', '2030-02-30', '2030-01-01T25:00Z']) {
      await expect(clock.set(none)).rejects.toThrow(`"${none}" does not exist: check month, day and time`);
    }
    await expect(clock.advance('-1000000h')).rejects.toThrow('1970');
    expect((await clock.get()).time).toBe('2030-06-01T00:00:00.000Z');
  });
});
