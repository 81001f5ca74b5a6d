import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { controllers, requireController } from '../../src/server/control/guard.js';
import type { LogEntry } from '../../src/server/index.js';
import { quotaHeadersOf } from './support/caller.js';
import { controller, useControlledServers } from './support/controller.js';
import { useServer } from './support/start.js';

const { started } = useControlledServers();
const shared = useServer();

describe('who may steer the server', () => {
  it('is who has the token', async () => {
    const { server, control, caller } = await started();
    expect((await control('GET', '/clock')).status).toBe(200);
    for (const authorization of [undefined, 'Bearer', 'Bearer wrong', `Basic ${server.controlToken}`]) {
      const refused = await control('GET', '/clock', undefined, { authorization });
      expect(refused.status).toBe(401);
      expect(refused.headers['www-authenticate']).toBe('Bearer');
      expect(refused.json).toMatchObject({ statusCode: 401, message: expect.stringContaining('token') });
    }
    // Neither is an API key of any use there, nor the token with the service.
    expect((await caller.send('GET', '/_control/clock')).status).toBe(401);
    const headers = { authorization: `Bearer ${server.controlToken}` };
    expect((await caller.send('GET', '/quotas', { auth: 'none', headers })).status).toBe(401);
  });

  it.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    '10.0.0.1',
    'a b',
  ])('is nobody who says Host: %s', async (host) => {
    const refused = await controller(shared.server)('GET', '/clock', undefined, { host });
    expect(refused.status).toBe(403);
    expect(refused.json).toEqual({ statusCode: 403, message: expect.stringContaining('Host') });
  });

  it('is everybody who names this machine in Host', async () => {
    const { control } = await started();
    for (const host of ['localhost', 'localhost:1', '127.0.0.1', '[::1]:8443']) {
      expect((await control('GET', '/clock', undefined, { host })).status).toBe(200);
    }
  });

  it('is everybody on this machine who names it as the certificate does', async () => {
    const { control } = await started({ tlsNames: ['orgctl', '2001:db8:0::1'] });
    for (const host of ['orgctl:8443', 'ORGCTL', '[2001:db8::1]:8443']) {
      expect((await control('GET', '/clock', undefined, { host })).status).toBe(200);
    }
    expect((await control('GET', '/clock', undefined, { host: 'other' })).status).toBe(403);
  });

  it('is who has the token on other machines, under a host that was opened to them', async () => {
    const entries: LogEntry[] = [];
    const onLog = (entry: LogEntry) => entries.push(entry);
    const { server, control } = await started({ controlHosts: ['orgctl'], tlsNames: ['local'], onLog });
    expect(entries).toContainEqual(
      expect.objectContaining({ event: 'warning', message: expect.stringContaining('under orgctl') }),
    );
    const wrong = { host: 'orgctl:8443', authorization: 'Bearer wrong' };
    expect((await control('GET', '/clock', undefined, wrong)).status).toBe(401);
    const page = { host: 'orgctl:8443', origin: 'https://evil.example' };
    expect((await control('GET', '/clock', undefined, page)).status).toBe(403);
    // The guard itself is asked: a peer elsewhere is more than a test has.
    const allowed = controllers(server.controlToken, { controlHosts: ['orgctl'], tlsNames: ['local'] });
    const authorization = `Bearer ${server.controlToken}`;
    const from = (remoteAddress: string, host: string, token = authorization) => {
      const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
      const request = new IncomingMessage(socket);
      request.headers = { host, authorization: token };
      return () => requireController(request, allowed);
    };
    expect(from('10.0.0.7', 'orgctl:8443')).not.toThrow();
    expect(from('10.0.0.7', 'orgctl', 'Bearer no')).toThrow('token');
    for (const host of ['local', 'localhost', 'other']) {
      expect(from('10.0.0.7', host)).toThrow('only this machine');
    }
  });

  it('is no page of another origin', async () => {
    const { server, control } = await started();
    const { host } = new URL(server.url);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:1',
      `http://${host}.evil.example`,
    ]) {
      expect((await control('GET', '/clock', undefined, { origin })).status).toBe(403);
    }
    expect((await control('GET', '/clock', undefined, { origin: server.url })).status).toBe(200);
  });

  it('has nothing to do with the service: no journal, no faults, no rate limit, no quota headers', async () => {
    const { server, control } = await started({
      faults: ['* *=500'],
      rateLimit: { requests: 1, window: 60_000 },
    });
    for (let sent = 0; sent < 3; sent += 1) {
      const answer = await control('GET', '/journal');
      expect(answer.json).toEqual({ entries: [] });
      expect(quotaHeadersOf(answer)).toEqual([undefined, undefined, undefined]);
    }
    expect(await server.control.journal.get()).toEqual([]);
  });
});

describe('what it answers to what it does not know', () => {
  it.each([
    ['GET', '/nothing', undefined, 404],
    ['DELETE', '/clock', undefined, 404],
    ['PUT', '/clock', undefined, 400],
    ['PUT', '/clock', { time: '2030-01-01T00:00:00' }, 400],
    ['PUT', '/clock', { time: 1e99 }, 400],
    ['PUT', '/clock', { time: '2030-01-01T00:00:00Z', zone: 'UTC' }, 400],
    ['POST', '/clock/advance', { by: '99999999h' }, 400],
    ['PUT', '/faults', { rules: ['nonsense'] }, 400],
    ['PUT', '/quotas', { limits: { teams: 1 }, organization: 'org_none' }, 404],
    ['POST', '/restore', { snapshot: 'snapshot_9' }, 404],
    ['POST', '/keys', { id: 'nokey' }, 400],
    ['POST', '/keys', { organization: 'org_none' }, 404],
    ['POST', '/keys/key_none/disable', undefined, 404],
    ['DELETE', '/keys/key_none', undefined, 404],
    ['PUT', '/rate-limit', { requests: 0, window: '1m' }, 400],
    ['PUT', '/rate-limit', { requests: 1, window: '1 minute' }, 400],
    ['PUT', '/rate-limit', { requests: 1 }, 400],
    ['POST', '/signatures/check', { keyId: 'none' }, 400],
    ['GET', '/journal?limit=0', undefined, 400],
    ['GET', '/journal?limt=1', undefined, 400],
  ])('%s /_control%s %j: %i', async (method, path, body, status) => {
    const answer = await controller(shared.server)(method, path, body);
    expect(answer.json).toEqual({ statusCode: status, message: expect.any(String) });
    expect(answer.status).toBe(status);
  });

  it('refuses bodies that are no JSON, or too large', async () => {
    const { control } = await started();
    const text = { 'content-type': 'text/plain' };
    expect((await control('PUT', '/clock', '{"time":1}', text)).status).toBe(415);
    expect((await control('PUT', '/clock', '{')).status).toBe(400);
    expect((await control('PUT', '/clock', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });

  it.each([{ foo: 1 }, { teams: -1 }, 'teams=1'])(
    'refuses %j as limits, in the process too',
    async (limits) => {
      const { server, control } = await started({ quotas: { teams: 2 } });
      // @ts-expect-error JavaScript has no types
      const set = async () => server.control.quotas.set(limits);
      await expect(set()).rejects.toThrow();
      expect((await control('PUT', '/quotas', { limits })).status).toBe(400);
      expect(await server.control.quotas.get()).toMatchObject({ teams: { limit: 2 } });
    },
  );

  it.each(['', ' '.repeat(64)])('refuses %j as secret, in the process too', async (secret) => {
    const { server, control } = await started();
    const problem = 'secret: must be 64 visible ASCII characters';
    expect((await control('POST', '/keys', { secret })).json).toEqual({ statusCode: 400, message: problem });
    await expect(server.control.keys.issue({ secret })).rejects.toThrow(problem);
  });
});
