import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  consoleInvitationSchema,
  consoleLinkSchema,
  sessionAnswerSchema,
} from '../../src/api/control/control-answers.js';
import type { LogEntry } from '../../src/server/index.js';
import { at, Caller } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServers } from './support/start.js';
import { tokenOf, Visitor } from './support/visitor.js';

const servers = useServers();

async function started(options = {}) {
  const entries: LogEntry[] = [];
  const onLog = (entry: LogEntry) => void entries.push(entry);
  const server = await servers.start({ console: true, onLog, ...options });
  return { server, visitor: new Visitor(server), entries };
}

describe('the link to the console', () => {
  it('lets one browser in, once', async () => {
    const { server, visitor } = await started();
    expect(server.console).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{43}$/);
    expect((await visitor.send('GET', '/_control/status')).status).toBe(401);
    const entered = await visitor.enter(server.console);
    expect(sessionAnswerSchema.parse(entered.json).bearer).toMatch(/^[\w-]{43}$/);
    expect((await visitor.send('GET', '/_control/status')).status).toBe(200);
    const again = await new Visitor(server).enter(server.console);
    expect(again.status).toBe(401);
    expect(at(again.json, 'message')).toMatch(/already used/);
  });

  it('is made afresh by the control API, and by the library', async () => {
    const { server } = await started();
    const made = await controller(server)('POST', '/console/links');
    expect(made.status).toBe(201);
    for (const link of [consoleLinkSchema.parse(made.json).console, await server.control.consoleLink()]) {
      expect((await new Visitor(server).enter(link)).status).toBe(200);
    }
  });

  it('lets no page read the secret of a key that exists', async () => {
    const { server } = await started();
    const visitor = new Visitor(server);
    await visitor.enter(server.console);
    const refused = await visitor.send('GET', '/_control/first-key');
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.json)).not.toContain(server.secret);
    const answered = await controller(server)('GET', '/first-key');
    expect(answered.json).toEqual({ keyId: server.keyId, secret: server.secret });
  });

  it('tells a page what is wrong with a rule, without the grammar that it shows itself', async () => {
    const { server, visitor } = await started();
    await visitor.enter(server.console);
    const refused = await visitor.send('PUT', '/_control/faults', { rules: ['foo'] });
    expect(refused.json).toEqual({
      statusCode: 400,
      message: 'fault rule foo: not a fault rule such as GET /quotas=503x2',
    });
    const ofProgram = await controller(server)('PUT', '/faults', { rules: ['foo'] });
    expect(at(ofProgram.json, 'message')).toContain('METHOD /path=EFFECT');
  });

  it('is not needed with a code, which lets one browser in, once, however it is typed', async () => {
    const { server } = await started();
    const origin = `${new Visitor(server).origin}/`;
    const made = await controller(server)('POST', '/console/codes');
    expect(made.status).toBe(201);
    const { console: address, code } = consoleInvitationSchema.parse(made.json);
    expect([address, code]).toEqual([
      origin,
      expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/),
    ]);
    const enter = (token: string) => new Visitor(server).send('POST', '/session', { token });
    const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
    const entered = await enter(` ${typed} `);
    expect(sessionAnswerSchema.parse(entered.json).bearer).toMatch(/^[\w-]{43}$/);
    expect((await enter(code)).status).toBe(401);
    // Nor does the token of a link, or the control token, stand in for one.
    expect((await enter(server.controlToken)).status).toBe(401);
    const byLibrary = await server.control.consoleInvitation();
    expect((await enter(byLibrary.code)).status).toBe(200);
  });

  it('is of no use to another server, nor to the service', async () => {
    const { server } = await started();
    const other = await started();
    expect((await other.visitor.enter(server.console)).status).toBe(401);
    const bearer = String(at((await new Visitor(server).enter(server.console)).json, 'bearer'));
    const authorization = `Bearer ${bearer}`;
    expect((await controller(server)('GET', '/status', undefined, { authorization })).status).toBe(401);
    expect((await other.visitor.send('GET', '/_control/status', undefined, { authorization })).status).toBe(
      401,
    );
    // Nor is the control token of any to the console.
    const token = { authorization: `Bearer ${server.controlToken}` };
    expect((await new Visitor(server).send('GET', '/_control/status', undefined, token)).status).toBe(401);
  });

  it.each([undefined, '', { token: 1 }, { token: 'x', more: 1 }, { token: 'x'.repeat(1025) }])(
    'is not %j',
    async (body) => {
      const { visitor } = await started();
      expect((await visitor.send('POST', '/session', body)).status).toBe(400);
    },
  );
});

describe('the console answers', () => {
  it.each(['localhost', '127.0.0.1', 'evil.example', '[::1]', '127.0.0.1:1', '127.0.0.1.evil.example'])(
    'nobody who says Host: %s',
    async (name) => {
      const { server, visitor } = await started();
      const { port } = new URL(String(server.console));
      const host = name.includes(':1') || name === '127.0.0.1' ? name : `${name}:${port}`;
      for (const [method, target] of [
        ['GET', '/'],
        ['POST', '/session'],
        ['GET', '/_control/status'],
      ] as const) {
        const refused = await visitor.send(method, target, undefined, { host });
        expect(refused.status).toBe(403);
      }
    },
  );

  it.each(['cross-site', 'same-site', 'none, none', ''])('nobody from a site that is %j', async (site) => {
    const { visitor, server } = await started();
    const headers = { 'sec-fetch-site': site };
    expect((await visitor.send('GET', '/', undefined, headers)).status).toBe(403);
    const entering = { token: tokenOf(server.console) };
    expect((await visitor.send('POST', '/session', entering, headers)).status).toBe(403);
    // A refused request has not used the link.
    expect((await visitor.enter(server.console)).status).toBe(200);
    expect((await visitor.send('GET', '/_control/status', undefined, headers)).status).toBe(403);
  });

  it('who does not say from where with the files of the page alone', async () => {
    const { visitor, server } = await started();
    const headers = { 'sec-fetch-site': undefined };
    expect((await visitor.send('GET', '/', undefined, headers)).status).not.toBe(403);
    expect((await visitor.send('POST', '/session', undefined, headers)).status).toBe(403);
    await visitor.enter(server.console);
    expect((await visitor.send('GET', '/_control/status', undefined, headers)).status).toBe(403);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('no %s without its own Origin', async (method) => {
    const { visitor, server } = await started();
    await visitor.enter(server.console);
    const { port } = new URL(visitor.origin);
    const others = [undefined, 'null', 'https://evil.example', `http://localhost:${port}`, server.url];
    for (const origin of others) {
      const refused = await visitor.send(method, '/_control/journal', undefined, { origin });
      expect(refused.status).toBe(403);
    }
    expect((await visitor.send('GET', '/', undefined, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('with headers that let nothing from elsewhere in, and no cookie', async () => {
    const { visitor, server } = await started();
    const answers = [
      await visitor.send('GET', '/'),
      await visitor.send('GET', '/none'),
      await visitor.send('GET', '/', undefined, { host: 'evil.example' }),
      await visitor.enter(server.console),
      await visitor.send('GET', '/_control/status'),
    ];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(answers.slice(3).map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store']);
  });

  it('on 127.0.0.1 alone, wherever the service does', async () => {
    const { server } = await started({ host: '0.0.0.0', http: false });
    const port = Number(new URL(String(server.console)).port);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((found) => found?.family === 'IPv4' && !found.internal)
      .map((found) => String(found?.address));
    for (const address of ['127.0.0.2', ...others]) await expect(connected(port, address)).rejects.toThrow();
    await expect(connected(port, '127.0.0.1')).resolves.toBeUndefined();
  });
});

function connected(port: number, host: string): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const socket = connect({ port, host }, () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

describe('where the console is', () => {
  it('is nowhere unless asked for', async () => {
    const server = await servers.start();
    expect(server.console).toBeUndefined();
    await expect(server.control.consoleLink()).rejects.toThrow('no management console');
    expect((await controller(server)('POST', '/console/links')).status).toBe(404);
    expect((await controller(server)('POST', '/console/codes')).status).toBe(404);
    expect((await server.control.status()).console).toBeUndefined();
    // It is told without the token.
    const { server: other, visitor } = await started();
    expect((await other.control.status()).console).toBe(visitor.origin);
  });

  it('is a free port when the one that is asked for is taken, with a word about it', async () => {
    const first = await started();
    const port = Number(new URL(String(first.server.console)).port);
    const second = await started({ console: { port } });
    const url = second.visitor.origin;
    expect(url).not.toBe(first.visitor.origin);
    expect((await second.visitor.enter(second.server.console)).status).toBe(200);
    expect(second.entries).toContainEqual(
      expect.objectContaining({
        event: 'warning',
        message: `port ${port} of 127.0.0.1 is in use: the management console is at ${url}`,
      }),
    );
    expect(first.entries).toEqual([]);
  });
});

describe('of the console', () => {
  it('nothing is in log or journal', async () => {
    const { server, visitor, entries } = await started({ logged: 'all' });
    const entered = await visitor.enter(server.console);
    await visitor.enter(server.console);
    await visitor.send('GET', '/_control/journal');
    await new Caller(server).send('GET', '/quotas', { auth: 'none' });
    const texts = [JSON.stringify(entries), JSON.stringify(await server.control.journal.get())];
    for (const text of texts) {
      expect(text).not.toContain(tokenOf(server.console));
      expect(text).not.toContain(String(at(entered.json, 'bearer')));
      expect(text).not.toContain('/session');
    }
    expect(await server.control.journal.count()).toBe(1);
  });

  it('streams end with the server, and so do its sessions', async () => {
    const { server, visitor } = await started();
    await visitor.enter(server.console);
    await new Caller(server).send('GET', '/quotas');
    const stream = await visitor.open('/_control/journal/stream');
    const closed = server.close();
    const events = (await stream.toArray()).join('');
    await closed;
    expect(events).toContain('event: request');
    expect(events).toContain('event: end');
    await expect(visitor.send('GET', '/')).rejects.toThrow('ECONNREFUSED');
  });
});
