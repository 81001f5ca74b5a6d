import { once } from 'node:events';
import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { requireVisitor } from '../../src/server/console/app.js';
import type { LogEntry } from '../../src/server/index.js';
import { at } from '../support/caller.js';
import { useServers } from '../support/servers.js';
import { tokenOf, Visitor } from '../support/visitor.js';
import { controller } from './support/controller.js';

const servers = useServers();

async function started(options = {}) {
  const entries: LogEntry[] = [];
  const onLog = (entry: LogEntry) => void entries.push(entry);
  const server = await servers.start({ console: true, onLog, ...options });
  return { server, visitor: new Visitor(server), entries };
}

describe('the link to the console', () => {
  it('lets one browser in, once, and a later one only within a minute', async () => {
    const { server, visitor } = await started();
    expect(server.console).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}$/);
    expect((await visitor.send('GET', '/_control/status')).status).toBe(401);
    const entered = await visitor.enter(server.console);
    expect(at(entered.json, 'bearer')).toMatch(/^[\w-]{43}$/);
    expect((await visitor.send('GET', '/_control/status')).status).toBe(200);
    // But for the secret of a key that exists.
    const refused = await visitor.send('GET', '/_control/first-key');
    expect(refused.status).toBe(403);
    expect(refused.text).not.toContain(server.secret);
    const { keyId, secret } = server;
    expect((await controller(server)('GET', '/first-key')).json).toEqual({ keyId, secret });
    const again = await new Visitor(server).enter(server.console);
    expect(again.status).toBe(401);
    expect(at(again.json, 'message')).toMatch(/already used/);
    const late = await server.control.consoleLink();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
    onTestFinished(() => void vi.restoreAllMocks());
    expect((await new Visitor(server).enter(late)).status).toBe(401);
  });

  it('opens neither another server nor the service; the control token does not open the console', async () => {
    const { server } = await started();
    // A port that is taken gives way to a free one.
    const other = await started({ console: { port: Number(new URL(server.console ?? '').port) } });
    expect((await other.visitor.enter(server.console)).status).toBe(401);
    const { json } = await new Visitor(server).enter(server.console);
    const bearer = { authorization: `Bearer ${at(json, 'bearer')}` };
    const token = { authorization: `Bearer ${server.controlToken}` };
    const answers = [
      await controller(server)('GET', '/status', undefined, bearer),
      await other.visitor.send('GET', '/_control/status', undefined, bearer),
      await new Visitor(server).send('GET', '/_control/status', undefined, token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  });
});

describe('the console', () => {
  const host = '127.0.0.1:8444';
  const origin = `http://${host}`;
  const site = 'sec-fetch-site';
  const own = { host, [site]: 'same-origin' };

  function visit(method: string, url: string, headers: IncomingHttpHeaders, remoteAddress = '127.0.0.1') {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    const request = Object.assign(new IncomingMessage(socket), { method, url, headers });
    return () => requireVisitor(request, origin);
  }

  it('admits its own page, users who type its address, and programs that only read its files', () => {
    expect(visit('GET', '/', own)).not.toThrow();
    expect(visit('GET', '/', { host, [site]: 'none' })).not.toThrow();
    expect(visit('POST', '/session', { ...own, origin })).not.toThrow();
    expect(visit('GET', '/', { host })).not.toThrow();
    expect(visit('GET', '/_control/status', { host })).toThrow('management console');
    expect(visit('POST', '/session', { host, origin })).toThrow('management console');
    expect(visit('GET', '/', own, '10.0.0.7')).toThrow('only this machine');
  });

  it.each(['localhost:8444', '127.0.0.1', '127.0.0.1:1', 'evil.example:8444', '127.0.0.1.evil.example:8444'])(
    'refuses Host: %s',
    (name) => expect(visit('GET', '/', { ...own, host: name })).toThrow('its address is'),
  );

  it.each(['cross-site', 'same-site', 'none, none', ''])('refuses Sec-Fetch-Site: %j', (from) => {
    expect(visit('GET', '/', { host, [site]: from })).toThrow('another origin');
  });

  it.each([undefined, 'null', 'https://evil.example', 'http://localhost:8444', 'https://127.0.0.1:8444'])(
    'refuses a change from Origin %s',
    (from) => expect(visit('DELETE', '/_control/journal', { ...own, origin: from })).toThrow('Origin'),
  );

  it('refuses everyone else, for every path; a refused request does not use up the link', async () => {
    const { visitor, server } = await started();
    const token = { token: tokenOf(server.console) };
    const wrong = { host: 'evil.example' };
    expect((await visitor.send('POST', '/session', token, wrong)).status).toBe(403);
    expect((await visitor.enter(server.console)).status).toBe(200);
    for (const headers of [wrong, { [site]: 'cross-site' }, { origin: 'https://evil.example' }]) {
      expect((await visitor.send('GET', '/', undefined, headers)).status).toBe(403);
      expect((await visitor.send('GET', '/_control/status', undefined, headers)).status).toBe(403);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        expect((await visitor.send(method, '/_control/journal', undefined, headers)).status).toBe(403);
      }
    }
    expect((await visitor.send('GET', '/', undefined, { [site]: undefined })).status).not.toBe(403);
  });

  it('sends headers that admit nothing from elsewhere, and no cookie', async () => {
    const { visitor, server } = await started();
    const answers = [
      await visitor.send('GET', '/'),
      await visitor.send('GET', '/none'),
      await visitor.send('GET', '/', undefined, { host: 'evil.example' }),
      await visitor.enter(server.console),
      await visitor.send('GET', '/_control/status'),
    ];
    const ours = ['script', 'style', 'connect'].map((kind) => `${kind}-src 'self'`).join('; ');
    const none = ['base-uri', 'form-action', 'frame-ancestors'].map((kind) => `${kind} 'none'`).join('; ');
    const policy = `default-src 'none'; ${ours}; img-src 'self' data:; ${none}; require-trusted-types-for 'script'`;
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect(answers.slice(3).map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store']);
  });

  it('listens on 127.0.0.1 only, wherever the service listens', async () => {
    const { server } = await started({ host: '0.0.0.0', http: false });
    const port = Number(new URL(String(server.console)).port);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((found) => found?.family === 'IPv4' && !found.internal)
      .map((found) => String(found?.address));
    for (const host of ['127.0.0.2', ...others])
      await expect(once(connect({ port, host }), 'connect')).rejects.toThrow();
    await once(connect({ port, host: '127.0.0.1' }).unref(), 'connect');
  });
});
