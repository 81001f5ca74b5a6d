import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { controllers, requireController } from '../../src/server/control/guard.js';
import { useServer } from '../support/servers.js';
import { controller } from './support/controller.js';

const shared = useServer({ quotas: { teams: 2 } });
let control: ReturnType<typeof controller>;
beforeAll(() => {
  control = controller(shared.server);
});

describe('the control API', () => {
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
    'admits the token from this machine, with a Host of the machine or the certificate: %s',
    (host) => {
      expect(ask(host)).not.toThrow();
      expect(ask(host, { authorization: 'Bearer wrong!' })).toThrow('token');
      expect(ask(host, { from: '10.0.0.7' })).toThrow('only this machine');
    },
  );

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost@evil.example', '10.0.0.1', 'a b', 'other'])(
    'refuses Host: %s',
    (host) => expect(ask(host)).toThrow('Host must be'),
  );

  it('admits the token from other machines, with a Host that was opened to them', () => {
    for (const host of ['opened:8443', 'OPENED', '[2001:db8::2]:8443'])
      expect(ask(host, { from: '10.0.0.7' })).not.toThrow();
    expect(ask('opened', { from: '10.0.0.7', authorization: 'Bearer no' })).toThrow('token');
  });

  it.each(['https://evil.example', 'null', 'http://localhost:1', 'http://localhost:8443.evil.example'])(
    'refuses pages of another origin: %s',
    (origin) => {
      expect(ask('localhost:8443', { origin })).toThrow('another origin');
      expect(ask('localhost:8443', { origin: 'http://localhost:8443' })).not.toThrow();
    },
  );

  it('checks the token first, and accepts no API key; the service does not accept the token', async () => {
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
});
