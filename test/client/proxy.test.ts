import { mkdtempSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { explainNoProxy } from '../../src/client/network/proxy.js';
import { type Certificate, makeAuthority } from '../support/certificates.js';
import { connectProxy } from '../support/connect-proxy.js';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { type ClientOptions, credential, failureOf, openClient } from './support/open-client.js';

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

/** A service that only its proxy reaches, and a client whose proxy has this address, with PORT for its port. */
async function serviceBehindProxy(address = 'http://127.0.0.1:PORT', tls?: Certificate) {
  const service = await scriptedPeer([httpAnswer(200, {})], { tls: serviceTls });
  const proxy = await connectProxy({ target: service.port, ...(tls && { tls }) });
  const HTTPS_PROXY = address.replace('PORT', String(proxy.port));
  const openThrough = (options: ClientOptions = {}, to = origin) =>
    openClient({ origin: to }, { caFile, env: { HTTPS_PROXY }, ...options }).transport;
  return { service, proxy, openThrough, name: HTTPS_PROXY };
}

describe('a proxy', () => {
  it('carries the request in a tunnel of TLS', async () => {
    const { service, proxy, openThrough } = await serviceBehindProxy();
    for (const auth of ['hmac', 'basic'] as const) await openThrough({ auth }).send(get);
    expect(service.requests.map((request) => request.target)).toEqual([get.target, get.target]);
    const tunnel = 'CONNECT service.test:8443 HTTP/1.1';
    expect(proxy.heads.map((head) => head.split('\r\n')[0])).toEqual([tunnel, tunnel]);
    const { keyId, secret } = credential;
    const encoded = Buffer.from(`${keyId}:${secret}`).toString('base64');
    for (const private_ of [secret, keyId, encoded, 'Authorization', 'X-API-', '/quotas']) {
      expect(proxy.seen().toString('latin1')).not.toContain(private_);
    }
  });

  it('gets its own user and password, percent-decoded, and the service does not', async () => {
    const { service, proxy, openThrough } = await serviceBehindProxy(
      'http://me%40home:p%3Ass@127.0.0.1:PORT',
    );
    await openThrough().send(get);
    const credentials = Buffer.from('me@home:p:ss').toString('base64');
    expect(proxy.heads[0]).toMatch(new RegExp(`\r\nproxy-authorization: basic ${credentials}\r\n`, 'i'));
    expect(service.requests[0]?.raw.toString()).not.toMatch(/proxy-authorization/i);
  });

  it('that nobody trusts gets no password, nor does a service behind it, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const behindTls = await serviceBehindProxy('https://me:proxy-password@127.0.0.1:PORT', loopbackTls);
    const reason = `the proxy https://127.0.0.1:${behindTls.proxy.port} (HTTPS_PROXY) cannot be used: its certificate is not trusted`;
    expect(await failureOf(behindTls.openThrough({ caFile: undefined }).send(post))).toMatchObject({
      code: 'network',
      message: expect.stringContaining(reason),
    });
    expect(behindTls.proxy.heads).toEqual([]);
    const { service, openThrough } = await serviceBehindProxy();
    const failure = await failureOf(openThrough({ caFile: undefined, auth: 'basic' }).send(get));
    expect(failure).toMatchObject({ code: 'network' });
    expect(service.requests).toEqual([]);
  });

  it('does not vouch for the service: its certificate is verified', async () => {
    const { service, openThrough } = await serviceBehindProxy();
    const message = 'https://other.test: its certificate is for another host name';
    const failure = await failureOf(openThrough({}, 'https://other.test').send(post));
    expect(failure).toMatchObject({ code: 'network', message });
    expect(service.requests).toEqual([]);
  });
});

describe('a proxy that', () => {
  const failing = async (
    request: typeof get | typeof post,
    refuse: (socket: Socket) => unknown,
    options = {},
  ) => {
    const proxy = await connectProxy({ refuse });
    const env = { HTTPS_PROXY: `http://me:hunter2@127.0.0.1:${proxy.port}` };
    const failure = await failureOf(openClient({ origin }, { env, ...options }).transport.send(request));
    expect(JSON.stringify(failure)).not.toContain('hunter2');
    return { failure, proxy, name: `http://127.0.0.1:${proxy.port}` };
  };

  const refused = '407 Proxy Authentication Required\r\n';
  it.each([
    [`${refused}Content-Length: 0\r\n\r\n`, 'refused to connect: it returned 407'],
    ['503 No\r\nContent-Length: 5\r\n\r\nsorry', 'refused to connect: it returned 503'],
    ['302 Found\r\nLocation: https://evil.example/\r\n\r\n', 'refused to connect: it returned 302'],
    ['\r\nSSH-2.0-OpenSSH_9.6\r\n', 'cannot be used: Parse Error'],
  ])('answers %j is a network error that names it', async (answer, reason) => {
    for (const request of [get, post]) {
      const { failure, proxy, name } = await failing(request, (socket) => socket.end(`HTTP/1.1 ${answer}`));
      expect(failure).toMatchObject({
        code: 'network',
        message: expect.stringContaining(`${origin}: the proxy ${name} (HTTPS_PROXY) ${reason}`),
        retryable: true,
      });
      expect(proxy.heads.length).toBe(1);
    }
  });
});

const whyNone = (noProxy: string, origin: string) =>
  explainNoProxy(new URL(origin), { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: noProxy });

it.each([
  ['*', 'https://a.invalid'],
  ['A.INVALID', 'https://a.invalid:8443'],
  ['.invalid', 'https://a.invalid'],
  ['*.invalid', 'https://a.invalid'],
  ['b.invalid,,a.invalid', 'https://a.invalid'],
  ['a.invalid:8443', 'https://a.invalid:8443'],
  ['10.1.2.3', 'https://10.1.2.3'],
  ['100::1', 'https://[100::1]'],
  ['[100::1]:443', 'https://[100::1]'],
  ['10.0.0.0/8', 'https://10.1.2.3'],
  ['100::/16', 'https://[100::1]'],
  ['', 'http://127.0.0.1:8080'],
])('NO_PROXY: %j covers %s', (noProxy, origin) => expect(whyNone(noProxy, origin)).toBeDefined());

it.each([
  ['', 'https://a.invalid'],
  ['10.2.0.0/16', 'https://10.1.2.3'],
  ['valid', 'https://a.invalid'],
  ['a.invalid:8443', 'https://a.invalid'],
  ['10.0.0.0/33', 'https://10.1.2.3'],
  ['2.3', 'https://10.1.2.3'],
])('NO_PROXY: %j does not cover %s', (noProxy, origin) => expect(whyNone(noProxy, origin)).toBeUndefined());
