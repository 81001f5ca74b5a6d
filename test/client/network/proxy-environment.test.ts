import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSender } from '../../../src/client/network/direct-sender.js';
import { explainNoProxy, findProxy } from '../../../src/client/network/proxy.js';
import { httpAnswer, scriptedPeer } from '../../support/hostile-peer.js';
import { type Certificate, makeAuthority } from '../support/certificates.js';
import { connectProxy } from '../support/connect-proxy.js';
import { failureOf, openClient } from '../support/open-client.js';

const get = { method: 'GET', target: '/quotas?x=1' } as const;
// A name that only the proxy knows.
const origin = 'https://service.test:8443';
const caFile = join(mkdtempSync(join(tmpdir(), 'orgctl-client-environment-')), 'ca.pem');
let loopbackTls: Certificate;

beforeAll(async () => {
  const authority = await makeAuthority('Test CA');
  writeFileSync(caFile, authority.cert);
  loopbackTls = await authority.issue(['127.0.0.1', 'localhost']);
});

describe('the environment', () => {
  it.each([
    [{ https_proxy: 'PROXY', HTTPS_PROXY: 'http://127.0.0.1:1' }, 1],
    [{ https_proxy: '', HTTPS_PROXY: 'PROXY' }, 1],
    [{ https_proxy: 'PROXY', no_proxy: 'service.test', NO_PROXY: 'other.test' }, 0],
    [{ https_proxy: 'PROXY', no_proxy: 'other.test', NO_PROXY: 'service.test' }, 1],
    [{ https_proxy: 'PROXY', no_proxy: '', NO_PROXY: 'service.test' }, 0],
  ])('has its names in lower case read first, where they hold anything: %j', async (variables, asked) => {
    const proxy = await connectProxy({ refuse: (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n') });
    const url = `http://127.0.0.1:${proxy.port}`;
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value.replace('PROXY', url)]),
    );
    await failureOf(openClient({ origin }, { env }).transport.send(get));
    expect(proxy.heads).toHaveLength(asked);
  });

  it.each(['127.0.0.1', 'localhost'])('has no say for loopback: %s', async (host) => {
    const peer = await scriptedPeer([httpAnswer(200, {})], { tls: loopbackTls });
    const proxy = await connectProxy({ target: peer.port });
    const url = `http://127.0.0.1:${proxy.port}`;
    const env = { HTTPS_PROXY: url, HTTP_PROXY: url, https_proxy: url, http_proxy: url, ALL_PROXY: url };
    await openClient({ origin: `https://${host}:${peer.port}` }, { caFile, env }).transport.send(get);
    expect([peer.requests.length, proxy.heads.length]).toEqual([1, 0]);
  });

  it('of this very process is not read behind the caller’s back, nor HTTP_PROXY for https', async () => {
    const proxy = await connectProxy({ refuse: (socket) => socket.destroy() });
    const url = `http://127.0.0.1:${proxy.port}`;
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']) vi.stubEnv(name, url);
    const env = { HTTP_PROXY: url };
    await failureOf(openClient({ origin: 'https://service.invalid' }, { env }).transport.send(get));
    expect(proxy.heads).toEqual([]);
  });

  it.each([
    'http://',
    'socks5://127.0.0.1:1080',
    'http://user:pa%ss@127.0.0.1:1',
    'http://us%er:pass@127.0.0.1:1',
    'http://[nonsense',
    'a b',
  ])('that holds no address of an HTTP proxy is an error of configuration, not repeating it: %s', (value) => {
    const hint =
      'HTTPS_PROXY=http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT with user and password percent-encoded';
    const message = 'HTTPS_PROXY is not the address of an HTTP proxy';
    expect(() => openSender({ origin, env: { HTTPS_PROXY: value } })).toThrow(
      expect.objectContaining({ code: 'config', message, details: { hint } }),
    );
  });
});

describe('NO_PROXY', () => {
  const whyNone = (noProxy: string, origin: string) =>
    explainNoProxy(new URL(origin), { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: noProxy });

  it.each([
    ['*', 'https://a.invalid'],
    ['b.invalid *', 'https://a.invalid'],
    ['A.INVALID', 'https://a.invalid:8443'],
    ['.invalid', 'https://a.invalid'],
    ['*.invalid', 'https://a.invalid'],
    ['invalid', 'https://a.invalid'],
    ['b.invalid a.invalid', 'https://a.invalid'],
    ['b.invalid,,a.invalid', 'https://a.invalid'],
    ['a.invalid:443', 'https://a.invalid'],
    ['a.invalid:8443', 'https://a.invalid:8443'],
    ['a.invalid:0', 'https://a.invalid'],
    ['10.1.2.3', 'https://10.1.2.3'],
    ['10.1.2.3:8443', 'https://10.1.2.3:8443'],
    ['10.0.0.0/8', 'https://10.1.2.3'],
    ['100::1', 'https://[100::1]'],
    ['[100::1]', 'https://[100::1]'],
    ['[100::1]:443', 'https://[100::1]'],
    ['100:0:0::1', 'https://[100::1]'],
    ['100::/64', 'https://[100::1]'],
    ['[100::/64]', 'https://[100::1]'],
  ])('%j covers %s', (noProxy, origin) => {
    expect(whyNone(noProxy, origin)).toMatch(/^NO_PROXY covers /);
  });

  it.each([
    ['', 'https://a.invalid'],
    ['valid', 'https://a.invalid'],
    ['sub.a.invalid', 'https://a.invalid'],
    ['a.invalid:8443', 'https://a.invalid'],
    ['10.1.2.3:8443', 'https://10.1.2.3'],
    ['10.0.0.0/16', 'https://10.1.2.3'],
    ['10.0.0.0/33', 'https://10.1.2.3'],
    ['10.1.2.3/', 'https://10.1.2.3'],
    ['10.0.0.0/8', 'https://a.invalid'],
    ['2.3', 'https://10.1.2.3'],
    ['[100::1]:8443', 'https://[100::1]'],
    ['101::/64', 'https://[100::1]'],
    ['[', 'https://a.invalid'],
  ])('%j does not cover %s', (noProxy, origin) => {
    expect(whyNone(noProxy, origin)).toBeUndefined();
  });

  it('names the entry that covers the host', () => {
    expect(whyNone('a.invalid', 'https://a.invalid')).toBe('NO_PROXY covers a.invalid');
    expect(whyNone('10.0.0.0/8', 'https://10.1.2.3')).toBe('NO_PROXY covers 10.1.2.3 (10.0.0.0/8)');
  });
});

it('a proxy that nothing could be sent through is refused only where it would be used', () => {
  const env = { HTTPS_PROXY: 'socks5://u:hunter2@a', NO_PROXY: 'a.invalid' };
  expect(findProxy(new URL('https://a.invalid'), env)).toBeUndefined();
  expect(findProxy(new URL('https://127.0.0.1'), env)).toBeUndefined();
  expect(() => findProxy(new URL('https://b.invalid'), env)).toThrow(
    /^HTTPS_PROXY is not the address of an HTTP proxy$/,
  );
});
