import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LogEntry, OrgctlError, ServiceError, startServer, UsageError } from '../../src/server/index.js';
import { at, Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();
afterEach(() => vi.unstubAllEnvs());

describe('startServer', () => {
  it('answers over HTTPS on a free port of 127.0.0.1, and leaves nothing behind', async () => {
    const server = await startServer();
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(server).toMatchObject({
      keyId: expect.stringMatching(/^key_/),
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      organization: expect.stringMatching(/^org_/),
    });
    expect(server).not.toHaveProperty('data');
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
    const directory = dirname(server.caFile ?? '');
    expect(existsSync(directory)).toBe(true);
    await server.close();
    expect(existsSync(directory)).toBe(false);
  });

  it('runs several at once, each with an organization of its own', async () => {
    const [one, other] = await Promise.all([servers.start(), servers.start()]);
    await new Caller(one).send('POST', '/teams', { body: { name: 'a' } });
    expect(at((await new Caller(other).send('GET', '/teams')).json, 'total')).toBe(0);
    const credential = { keyId: one.keyId, secret: one.secret };
    expect((await new Caller(other).send('GET', '/teams', { credential })).status).toBe(401);
  });

  it('listens on IPv6 and on names', async () => {
    expect((await servers.start({ host: '::1' })).url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await servers.start({ host: 'localhost' })).url).toMatch(/^http:\/\/localhost:\d+$/);
    const everywhere = await servers.start({ host: '0.0.0.0', http: false });
    expect(everywhere.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect((await new Caller(everywhere).send('GET', '/quotas')).status).toBe(200);
  });

  it('says which option to use when the port is in use, and leaves nothing behind', async () => {
    const { url } = await servers.start();
    const temporary = await servers.directory();
    vi.stubEnv('TMPDIR', temporary);
    const data = join(temporary, 'new');
    for (const options of [{}, { data }]) {
      const started = startServer({ port: Number(new URL(url).port), ...options });
      await expect(started).rejects.toThrow(UsageError);
      const hint = expect.stringMatching(/another port, or 0/);
      await expect(started).rejects.toMatchObject({ details: { hint } });
      expect(await readdir(temporary)).toEqual([]);
    }
    await servers.start({ data });
  });

  it('can be closed twice, and ends with the block that uses it', async () => {
    const server = await startServer({ http: true });
    await Promise.all([server.close(), server.close()]);
    await server[Symbol.asyncDispose]();
    await expect(fetch(server.url)).rejects.toThrow();
  });
});

describe('the log', () => {
  it('warns when other machines can reach the server', async () => {
    const log: LogEntry[] = [];
    await servers.start({ onLog: (entry) => log.push(entry) });
    await servers.start({ http: false, host: '0.0.0.0', onLog: (entry) => log.push(entry) });
    const message = 'listening on 0.0.0.0: other machines can reach this server';
    expect(log).toEqual([{ event: 'warning', time: expect.any(String), message }]);
  });

  it('tells of the refused alone where only they are wanted', async () => {
    const log: LogEntry[] = [];
    const server = await servers.start({ onLog: (entry) => log.push(entry), logged: 'refused' });
    const caller = new Caller(server);
    await caller.send('GET', '/quotas');
    await caller.send('GET', '/quotas', { auth: 'none' });
    await caller.send('GET', '/quotas');
    await server.close();
    expect(log).toEqual([expect.objectContaining({ status: 401 })]);
  });
});

describe('the options', () => {
  it.each([
    ['an unknown one', { prot: 1 }, 'Unrecognized key: "prot"'],
    ['an unknown one of a group', { tls: { cert: '', key: '', ca: '' } }, 'tls: Unrecognized key: "ca"'],
    ['a rate limit as the command line has it', { rateLimit: '100/1m' }, '{ requests: 100, window: 60000 }'],
    ['a port that is text', { port: '8443' }, 'port: Invalid input: expected number, received string'],
    ['a clock that is a time', { clock: 12 }, 'clock: must be a function'],
    ['a limit that there is not', { limits: { conections: 1 } }, 'limits: Unrecognized key: "conections"'],
    ['a quota that there is not', { quotas: { users: 1 } }, 'quotas: Unrecognized key: "users"'],
    ['a host that is empty', { host: '' }, 'host: Too small: expected string to have >=1 characters'],
    ['a directory that is empty', { data: '' }, 'data: Too small: expected string to have >=1 characters'],
    ['none at all', null, 'startServer'],
    ['plain HTTP on every address', { http: true, host: '0.0.0.0' }, /loopback/],
    ['plain HTTP under another name', { http: true, host: 'example.com' }, /loopback/],
    ['plain HTTP with a certificate', { http: true, tls: { cert: '', key: '' } }, /certificate/],
    ['a negative port', { port: -1 }, 'port: '],
    ['a port that is too large', { console: { port: 65_536 } }, 'console: '],
    ['a port with a fraction', { port: 1.5 }, 'port: '],
    ['a negative tolerance', { maxSkew: -1 }, 'maxSkew: '],
    ['a negative quota', { quotas: { teams: -1 } }, 'quotas.teams: '],
    ['a quota with a fraction', { quotas: { 'api-keys': 1.5 } }, 'api-keys'],
    ['an address of another machine', { host: '192.0.2.1', http: false }, /192\.0\.2\.1/],
    ['a fault rule without method or path', { faults: ['x'] }, '"x" is not a fault rule'],
  ])('are refused by name: %s', async (_name, options, message) => {
    const started = Reflect.apply(startServer, undefined, [options]);
    await expect(started).rejects.toThrow(UsageError);
    await expect(started).rejects.toThrow(message);
  });

  it('are refused without their values, which may be secrets', async () => {
    const started = Reflect.apply(startServer, undefined, [{ masterKey: 1234567, secret: 'hunter2' }]);
    const error: unknown = await started.catch((error: unknown) => error);
    expect(inspect(error)).not.toMatch(/1234567|hunter2/);
  });
});

describe('the control of a server', () => {
  it('fails with the errors that clients see, in one family', async () => {
    const { control } = await servers.start({ quotas: { 'api-keys': 1 } });
    const codes = ['not_found 404', 'not_found 404', 'quota_exceeded 403'];
    const failures = [control.restore('none'), control.keys.disable('key_none'), control.keys.issue()];
    for (const [at, failure] of failures.entries()) {
      const error: ServiceError = await failure.then(String, (thrown) => thrown);
      expect(error).toBeInstanceOf(ServiceError);
      expect(`${error.code} ${error.details.status}`).toBe(codes[at]);
    }
    // @ts-expect-error a delay without its duration
    await expect(control.faults.set(['* *=delay'])).rejects.toThrow(UsageError);
    // @ts-expect-error minutes in full
    await expect(control.clock.advance('10min')).rejects.toThrow(OrgctlError);
    await expect(control.clock.set('yesterday')).rejects.toThrow(OrgctlError);
    // @ts-expect-error no unit
    await expect(control.rateLimit.set({ requests: 1, window: '60' })).rejects.toThrow(OrgctlError);
    await expect(control.keys.issue({ secret: '' })).rejects.toThrow('64 visible ASCII characters');
    // @ts-expect-error a kind that there is not
    await expect(control.quotas.set({ taems: 1 })).rejects.toThrow(OrgctlError);
  });

  it('follows a clock that is faked after its start', async () => {
    const { control } = await servers.start();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 0, 1) });
    onTestFinished(() => void vi.useRealTimers());
    expect(await control.clock.get()).toEqual({ time: '2031-01-01T00:00:00.000Z', offset: 0 });
  });
});
