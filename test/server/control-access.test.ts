import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeCall } from '../../src/api/control/calls.js';
import { controllers, requireController } from '../../src/server/control/guard.js';
import type { LogEntry } from '../../src/server/index.js';
import { controller, useControlledServers } from './support/controller.js';
import { useServer } from './support/start.js';

const { started } = useControlledServers();
const shared = useServer({ quotas: { teams: 2 } });
let control: ReturnType<typeof controller>;
beforeAll(() => {
  control = controller(shared.server);
});

describe('who may steer the server', () => {
  const names = { controlHosts: ['Opened', '2001:db8:0::2'], tlsNames: ['orgctl', '2001:db8:0::1'] };
  const allowed = controllers('secret', names);

  /** Whether the guard lets a request pass. */
  function ask(host: string, { authorization = 'Bearer secret', origin = '', from = '127.0.0.1' } = {}) {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: from });
    const request = new IncomingMessage(socket);
    request.headers = { host, authorization, ...(origin !== '' && { origin }) };
    return () => requireController(request, allowed);
  }

  const local = ['localhost', 'localhost:1', '127.0.0.1', '[::1]:8443'];
  it.each([...local, 'orgctl:8443', 'ORGCTL', '[2001:db8::1]:8443'])(
    'is who has the token, on this machine, under a name of it or of the certificate: %s',
    (host) => {
      expect(ask(host)).not.toThrow();
      expect(ask(host, { authorization: 'Bearer wrong!' })).toThrow('token');
      expect(ask(host, { from: '10.0.0.7' })).toThrow('only this machine');
    },
  );

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost@evil.example', '10.0.0.1', 'a b', 'other'])(
    'is nobody who says Host: %s',
    (host) => expect(ask(host)).toThrow('Host must be'),
  );

  it('is who has the token on other machines, under a host that was opened to them', () => {
    for (const host of ['opened:8443', 'OPENED', '[2001:db8::2]:8443'])
      expect(ask(host, { from: '10.0.0.7' })).not.toThrow();
    expect(ask('opened', { from: '10.0.0.7', authorization: 'Bearer no' })).toThrow('token');
  });

  it.each(['https://evil.example', 'null', 'http://localhost:1', 'http://localhost:8443.evil.example'])(
    'is no page of another origin: %s',
    (origin) => {
      expect(ask('localhost:8443', { origin })).toThrow('another origin');
      expect(ask('localhost:8443', { origin: 'http://localhost:8443' })).not.toThrow();
    },
  );

  it('is asked before anything is answered, and an API key is of no use there, nor the token with the service', async () => {
    const { server, caller } = shared;
    expect((await control('GET', '/clock')).status).toBe(200);
    for (const authorization of [undefined, 'Bearer', 'Bearer wrong', `Basic ${server.controlToken}`]) {
      const refused = await control('GET', '/clock', undefined, { authorization });
      expect(refused.headers['www-authenticate']).toBe('Bearer');
      expect(refused.json).toMatchObject({ statusCode: 401, message: expect.stringContaining('token') });
    }
    const elsewhere = await control('GET', '/clock', undefined, { host: 'evil.example' });
    expect(elsewhere.json).toEqual({ statusCode: 403, message: expect.stringContaining('Host') });
    expect((await caller.send('GET', '/_control/clock')).status).toBe(401);
    const headers = { authorization: `Bearer ${server.controlToken}` };
    expect((await caller.send('GET', '/quotas', { auth: 'none', headers })).status).toBe(401);
  });

  it('is told in the log where other machines are among them', async () => {
    const log: LogEntry[] = [];
    const { control } = await started({ ...names, onLog: (entry) => log.push(entry) });
    const message = expect.stringContaining('under Opened');
    expect(log).toContainEqual(expect.objectContaining({ event: 'warning', message }));
    for (const host of ['orgctl:8443', 'opened']) {
      expect((await control('GET', '/clock', undefined, { host })).status).toBe(200);
    }
  });
});

describe('a call of the control API', () => {
  it('is written as a target: parameters escaped, parts of a query that are not given left out', () => {
    expect(writeCall('keys.revoke', { id: 'a/b?c#d$&' }).target).toBe('/keys/a%2Fb%3Fc%23d%24%26');
    const { target } = writeCall('keys.list', { organization: 'a b&c', search: undefined });
    expect(target).toBe('/keys?organization=a+b%26c');
  });

  const unsigned = { keyId: 'key_none', method: 'GET', target: '/', timestamp: '1', signature: '' };

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
    ['PUT', '/quotas', { limits: { foo: 1 } }, 400],
    ['PUT', '/quotas', { limits: { teams: -1 } }, 400],
    ['POST', '/restore', { snapshot: 'snapshot_9' }, 404],
    ['POST', '/keys', { id: 'nokey' }, 400],
    ['POST', '/keys', { secret: ' '.repeat(64) }, 400],
    ['POST', '/keys', { organization: 'org_none' }, 404],
    ['POST', '/keys/key_none/disable', undefined, 404],
    ['DELETE', '/keys/key_none', undefined, 404],
    ['PUT', '/rate-limit', { requests: 0, window: '1m' }, 400],
    ['PUT', '/rate-limit', { requests: 1, window: '1 minute' }, 400],
    ['PUT', '/rate-limit', { requests: 1 }, 400],
    ['POST', '/signatures/check', { keyId: 'none' }, 400],
    ['POST', '/signatures/check', unsigned, 404],
    ['GET', '/journal/0', undefined, 404],
    ['GET', '/journal/999999', undefined, 404],
    ['GET', '/journal/x', undefined, 404],
    ['GET', '/journal?limit=0', undefined, 400],
    ['GET', '/journal?limt=1', undefined, 400],
  ])('is refused where it makes no sense: %s /_control%s %j: %i', async (method, path, body, status) => {
    const answer = await control(method, path, body);
    expect(answer.json).toEqual({ statusCode: status, message: expect.any(String) });
    expect(answer.status).toBe(status);
  });

  it('takes no body that is no JSON, or too large', async () => {
    const text = { 'content-type': 'text/plain' };
    expect((await control('PUT', '/clock', '{"time":1}', text)).status).toBe(415);
    expect((await control('PUT', '/clock', '{')).status).toBe(400);
    expect((await control('PUT', '/clock', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});
