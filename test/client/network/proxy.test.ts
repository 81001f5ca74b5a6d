import { EventEmitter, once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hostilePeer, httpAnswer, scriptedPeer, unusedPort } from '../../support/hostile-peer.js';
import { type Certificate, makeAuthority } from '../support/certificates.js';
import { connectProxy } from '../support/connect-proxy.js';
import { credential } from '../support/credential.js';
import { holdTimers } from '../support/hold-timers.js';
import { failureOf, openClient } from '../support/open-client.js';
import { recordWarnings } from '../support/record-warnings.js';

const get = { method: 'GET', target: '/quotas?x=1' } as const;
const post = { method: 'POST', target: '/teams' } as const;
// A name that only the proxy knows.
const origin = 'https://service.test:8443';
const caFile = join(mkdtempSync(join(tmpdir(), 'orgctl-client-proxy-')), 'ca.pem');
let serviceTls: Certificate;
let loopbackTls: Certificate;

beforeAll(async () => {
  const authority = await makeAuthority('Test CA');
  writeFileSync(caFile, authority.cert);
  serviceTls = await authority.issue(['service.test']);
  loopbackTls = await authority.issue(['127.0.0.1', 'localhost']);
});

async function serviceBehindProxy(tls?: Certificate) {
  const service = await scriptedPeer([httpAnswer(200, {})], { tls: serviceTls });
  return { service, proxy: await connectProxy({ target: service.port, ...(tls && { tls }) }) };
}

describe('a proxy', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])(
    'named by %s carries the request in a tunnel of TLS',
    async (variable) => {
      const { service, proxy } = await serviceBehindProxy();
      const env = { [variable]: `http://127.0.0.1:${proxy.port}` };
      for (const auth of ['hmac', 'basic'] as const) {
        await openClient({ origin }, { caFile, env, auth }).transport.send(get);
      }
      expect(service.requests.map((request) => request.target)).toEqual([get.target, get.target]);
      expect(proxy.heads.map((head) => head.split('\r\n')[0])).toEqual([
        'CONNECT service.test:8443 HTTP/1.1',
        'CONNECT service.test:8443 HTTP/1.1',
      ]);
      const seen = proxy.seen().toString('latin1');
      const encoded = Buffer.from(`${credential.keyId}:${credential.secret}`).toString('base64');
      for (const secret of [
        credential.secret,
        credential.keyId,
        encoded,
        'Authorization',
        'X-API-',
        '/quotas',
      ]) {
        expect(seen).not.toContain(secret);
      }
    },
  );

  it('is asked for port 443 where the origin names none', async () => {
    const { proxy } = await serviceBehindProxy();
    const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}` };
    await openClient({ origin: 'https://service.test' }, { caFile, env }).transport.send(get);
    expect(proxy.heads[0]).toMatch(/^CONNECT service\.test:443 HTTP\/1\.1\r\n/);
  });

  it('gets its own user and password, percent-decoded, and the service does not', async () => {
    const { service, proxy } = await serviceBehindProxy();
    const env = { HTTPS_PROXY: `http://me%40home:p%3Ass@127.0.0.1:${proxy.port}` };
    await openClient({ origin }, { caFile, env }).transport.send(get);
    expect(proxy.heads[0]?.toLowerCase()).toContain(
      `\r\nproxy-authorization: basic ${Buffer.from('me@home:p:ss').toString('base64')}\r\n`.toLowerCase(),
    );
    expect(service.requests[0]?.raw.toString().toLowerCase()).not.toContain('proxy-authorization');
  });

  it.each(['/', '/path', '?query', '/path?query#fragment'])(
    'is the host and port of its address alone: %s',
    async (rest) => {
      const { service, proxy } = await serviceBehindProxy();
      const env = { HTTPS_PROXY: `http://me:pass@127.0.0.1:${proxy.port}${rest}` };
      await openClient({ origin }, { caFile, env }).transport.send(get);
      expect(service.requests.length).toBe(1);
      const credentials = Buffer.from('me:pass').toString('base64');
      expect(proxy.heads[0]?.toLowerCase()).toContain(`basic ${credentials}\r\n`.toLowerCase());
    },
  );

  it.each(['127.0.0.1', 'localhost'])(
    'may speak TLS itself, trusted as the service is, and on an address without a warning: %s',
    async (host) => {
      const warnings = recordWarnings();
      const { service, proxy } = await serviceBehindProxy(loopbackTls);
      const env = { HTTPS_PROXY: `https://${host}:${proxy.port}` };
      await openClient({ origin }, { caFile, env }).transport.send(get);
      expect(service.requests.length).toBe(1);
      await turn();
      expect(warnings).toEqual([]);
    },
  );

  it('that nobody trusts is an error that names it', async () => {
    const { proxy } = await serviceBehindProxy(loopbackTls);
    const env = { HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` };
    expect(await failureOf(openClient({ origin }, { env }).transport.send(post))).toMatchObject({
      code: 'network',
      message: expect.stringContaining(
        `the proxy https://127.0.0.1:${proxy.port} (HTTPS_PROXY) cannot be used: its certificate is not trusted`,
      ),
    });
  });

  it('that nobody trusts gets no password, and neither does a service behind it, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const behindTls = await serviceBehindProxy(loopbackTls);
    const env = { HTTPS_PROXY: `https://me:proxy-password@127.0.0.1:${behindTls.proxy.port}` };
    expect(await failureOf(openClient({ origin }, { env }).transport.send(get))).toMatchObject({
      code: 'network',
    });
    expect(behindTls.proxy.heads).toEqual([]);
    const { service, proxy } = await serviceBehindProxy();
    const plain = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { transport } = openClient({ origin }, { env: plain, auth: 'basic' });
    expect(await failureOf(transport.send(get))).toMatchObject({ code: 'network' });
    expect(service.requests).toEqual([]);
  });

  it('does not vouch for the service: its certificate is verified', async () => {
    const { service, proxy } = await serviceBehindProxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const failure = await failureOf(
      openClient({ origin: 'https://other.test' }, { caFile, env }).transport.send(post),
    );
    expect(failure).toMatchObject({
      code: 'network',
      message: 'https://other.test: its certificate is for another host name',
    });
    expect(service.requests).toEqual([]);
  });

  it.each([get, post])(
    'that opens the tunnel too late carries nothing any more ($method)',
    async (request) => {
      const service = await scriptedPeer([httpAnswer(200, {})], { tls: serviceTls });
      const asked = new EventEmitter<{ tunnel: [Socket] }>();
      const proxy = await connectProxy({ refuse: (socket) => asked.emit('tunnel', socket) });
      const tunnelAsked = once(asked, 'tunnel');
      const passTime = holdTimers();
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
      const failure = failureOf(
        openClient({ origin }, { caFile, env, timeout: 30_000 }).transport.send(request),
      );
      const [socket] = await tunnelAsked;
      passTime(30_000);
      expect(await failure).toMatchObject({ code: 'network' });
      const tunnel = connect(service.port, '127.0.0.1');
      socket.pipe(tunnel).pipe(socket);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      await service.connected();
      await service.disconnected();
      expect(service.requests).toEqual([]);
    },
  );

  it('carries several requests at once', async () => {
    const { service, proxy } = await serviceBehindProxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { transport } = openClient({ origin }, { caFile, env });
    await Promise.all(Array.from({ length: 5 }, () => transport.send(get)));
    expect(service.requests.length).toBe(5);
  });
});

describe.each([get, post])('$method through a proxy that', (request) => {
  const failing = async (refuse: (socket: Socket) => unknown, options = {}) => {
    const proxy = await connectProxy({ refuse });
    const name = `http://127.0.0.1:${proxy.port}`;
    const env = { HTTPS_PROXY: `http://me:hunter2@127.0.0.1:${proxy.port}` };
    const failure = await failureOf(openClient({ origin }, { env, ...options }).transport.send(request));
    expect(JSON.stringify(failure)).not.toContain('hunter2');
    return { failure, proxy, name };
  };

  it.each([
    [
      'asks for a password',
      'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
      'requires a user and password',
    ],
    ['answers 502', 'HTTP/1.1 502 Bad Gateway\r\n\r\n', 'refused to connect: it returned 502'],
    [
      'answers 503 with a body',
      'HTTP/1.1 503 No\r\nContent-Length: 5\r\n\r\nsorry',
      'refused to connect: it returned 503',
    ],
    [
      'redirects',
      'HTTP/1.1 302 Found\r\nLocation: https://evil.example/\r\n\r\n',
      'refused to connect: it returned 302',
    ],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'cannot be used: Response does not match'],
  ])('%s is a network error that names the proxy', async (_name, answer, reason) => {
    const { failure, proxy, name } = await failing((socket) => socket.end(answer));
    expect(failure).toMatchObject({
      code: 'network',
      message: expect.stringContaining(`${origin}: the proxy ${name} (HTTPS_PROXY) ${reason}`),
      hint: expect.stringContaining('HTTPS_PROXY'),
      retryable: true,
    });
    expect(proxy.heads.length).toBe(1);
  });

  it('refuses and keeps the connection open has it closed', async () => {
    const closed = new EventEmitter<{ close: [] }>();
    const ended = once(closed, 'close');
    await failing((socket) => {
      socket.on('close', () => closed.emit('close')).write('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await ended;
  });

  it('hangs up is asked once an attempt, not in a loop', async () => {
    const { failure, proxy, name } = await failing((socket) => socket.destroy(), { retries: 2 });
    expect(failure).toMatchObject({
      code: 'network',
      message: expect.stringContaining(`the proxy ${name} (HTTPS_PROXY) cannot be used`),
    });
    expect(proxy.heads.length).toBe(3);
  });

  it('is down is a network error that names the proxy', async () => {
    const port = await unusedPort();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
    expect(await failureOf(openClient({ origin }, { env }).transport.send(request))).toMatchObject({
      code: 'network',
      message: `${origin}: the proxy http://127.0.0.1:${port} (HTTPS_PROXY) cannot be used: the connection was refused`,
      hint: "check HTTPS_PROXY, or name the service's host in NO_PROXY",
    });
  });

  it('hangs is given up in time, and left alone', async () => {
    const proxy = await hostilePeer(() => undefined);
    const passTime = holdTimers();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const { transport } = openClient({ origin }, { env, timeout: 30_000 });
    const failure = failureOf(transport.send(request));
    await proxy.received();
    passTime(30_000);
    expect(await failure).toMatchObject({ code: 'network', message: `${origin}: no connection within 30s` });
    await transport.close();
    await proxy.disconnected();
  });
});
