import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startServer, UsageError } from '../../src/server/index.js';
import { Caller } from '../support/caller.js';
import { temporaryDirectory } from '../support/run-cli.js';

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
    expect(server.data).toBeUndefined();
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
    const directory = dirname(server.caFile ?? '');
    expect(existsSync(directory)).toBe(true);
    await server.close();
    expect(existsSync(directory)).toBe(false);
  });

  it('starts and warns if every key of its data is disabled, because only its console can enable one', async () => {
    const data = temporaryDirectory();
    const first = await startServer({ data, http: true });
    await first.control.keys.disable(first.keyId);
    await first.close();
    const logged: string[] = [];
    await using again = await startServer({
      data,
      http: true,
      onLog: (entry) => void logged.push(JSON.stringify(entry)),
    });
    expect(again.keyId).toBe(first.keyId);
    expect((await again.profileKey()).keyId).not.toBe(first.keyId);
    expect(logged.join()).toContain('every API key of the first organization is disabled');
  });
});

describe('the options', () => {
  it.each([
    ['an unknown one', { prot: 1 }, 'Unrecognized key: "prot"'],
    ['a rate limit as the command line has it', { rateLimit: '100/1m' }, '{ requests: 100, window: 60000 }'],
    ['a port that is text', { port: '8443' }, 'port: Invalid input: expected number, received string'],
    ['a clock that is a time', { clock: 12 }, 'clock: must be a function'],
    ['a quota that there is not', { quotas: { users: 1 } }, 'quotas: Unrecognized key: "users"'],
    ['a host that is empty', { host: '' }, 'host: Too small: expected string to have >=1 characters'],
    ['none at all', null, 'startServer'],
    ['plain HTTP on every address', { http: true, host: '0.0.0.0' }, /loopback/],
    ['plain HTTP with a certificate', { http: true, tls: { cert: '', key: '' } }, /certificate/],
    ['a port that is too large', { console: { port: 65_536 } }, 'console'],
    ['a negative tolerance', { maxSkew: -1 }, 'maxSkew: '],
    ['a negative quota', { quotas: { teams: -1 } }, 'quotas.teams: '],
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
