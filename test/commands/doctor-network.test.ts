import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Authority, type Certificate, makeAuthority } from '../client/support/certificates.js';
import { connectProxy } from '../client/support/connect-proxy.js';
import { hostilePeer, httpAnswer, type Peer, unusedPort } from '../support/hostile-peer.js';
import { errorOf, startCli, temporaryDirectory } from '../support/run-cli.js';
import { type Environment, environmentOf as environmentFor, examine } from './support/doctor.js';

const directory = temporaryDirectory();
const path = (name: string) => join(directory, name);

type Kind = 'good' | 'expired' | 'early' | 'misnamed' | 'strange' | 'named';
let certificates: Record<Kind, Certificate>;

beforeAll(async () => {
  const authority: Authority = await makeAuthority('Test CA');
  const stranger = await makeAuthority('Another CA');
  certificates = {
    good: await authority.issue(['127.0.0.1']),
    expired: await authority.issue(['127.0.0.1'], { from: -30, to: -1 }),
    early: await authority.issue(['127.0.0.1'], { from: 1, to: 30 }),
    misnamed: await authority.issue(['other.example']),
    strange: await stranger.issue(['127.0.0.1']),
    named: await authority.issue(['api.example']),
  };
  writeFileSync(path('ca.pem'), authority.cert);
});

const quotas = httpAnswer(200, {
  data: [{ teams: { limit: 20, used: 1 } }],
  total: 1,
  page: 1,
  limit: 20,
  pages: 1,
});

const environmentOf = (origin: string, changes: Environment = {}) =>
  environmentFor(origin, { ORGCTL_CA_FILE: path('ca.pem'), ...changes });

function peerWith(tls: Certificate): Promise<Peer> {
  return hostilePeer(() => quotas, { tls });
}

describe('doctor on TLS', () => {
  it('names the store of the system, and works with it where that has the CA', async () => {
    const { origin } = await peerWith(certificates.good);
    const known = { ORGCTL_CA_FILE: undefined, SSL_CERT_FILE: path('ca.pem') };
    const { ended } = await examine(environmentOf(origin, known));
    expect(errorOf(ended)).toMatchObject({ hint: expect.stringContaining('"system"') });
    const withIt = await examine(environmentOf(origin, { ...known, ORGCTL_CA_FILE: 'system' }));
    expect(withIt.ended.code).toBe(0);
  });

  it.each([
    ['strange', 'not trusted', '"system"'],
    ['expired', 'has expired', 'date'],
    ['early', 'not valid yet', 'date'],
    ['misnamed', 'another host name', 'orgctl whoami'],
  ] as const)('refuses a certificate that is %s, and sends nothing', async (name, reason, hint) => {
    const peer = await peerWith(certificates[name]);
    const { ended, finding, results } = await examine(environmentOf(peer.origin));
    expect(ended.code).toBe(9);
    const skipped = { clock: 'skipped', authentication: 'skipped' };
    expect(results).toMatchObject({ connection: 'ok', tls: 'failed', ...skipped });
    expect(finding('tls')?.detail).toContain(reason);
    expect(errorOf(ended)).toMatchObject({ code: 'network', hint: expect.stringContaining(hint) });
    expect(peer.requests).toEqual([]);
  });

  it('refuses what is refused, and sends a proxy no password, though Node is told to verify nothing', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const peer = await hostilePeer(() => quotas, { tls: certificates.strange });
    const { ended, results } = await examine(environmentOf(peer.origin));
    expect([ended.code, results['tls'], peer.requests]).toEqual([9, 'failed', []]);
    const proxy = await connectProxy({ tls: certificates.strange });
    const HTTPS_PROXY = `https://me:proxy-password@127.0.0.1:${proxy.port}`;
    const behind = await examine(environmentOf('https://api.example', { HTTPS_PROXY }));
    expect([behind.ended.code, behind.results['proxy'], proxy.heads]).toEqual([9, 'failed', []]);
  });

  it('is left at once at Ctrl-C', async () => {
    const peer = await hostilePeer(() => undefined, {
      onConnection: (socket) => socket.once('data', () => system.raise('SIGINT')),
    });
    const env = environmentOf(peer.origin.replace('http:', 'https:'), { ORGCTL_TIMEOUT: '1h' });
    const { system, ended } = startCli(['doctor'], { env });
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
    await peer.disconnected();
  });
});

describe('doctor behind a proxy', () => {
  const service = 'https://api.example';

  it('goes the way of every request', async () => {
    const peer = await peerWith(certificates.named);
    const proxy = await connectProxy({ target: peer.port });
    const variables = { HTTPS_PROXY: `http://user:proxypassword@127.0.0.1:${proxy.port}` };
    const { ended, results, finding } = await examine(environmentOf(service, variables));
    expect(ended.code).toBe(0);
    const passed = { proxy: 'ok', tls: 'ok', authentication: 'ok' };
    expect(results).toMatchObject({ dns: 'skipped', connection: 'skipped', ...passed });
    expect(finding('proxy')?.detail).toContain(`http://127.0.0.1:${proxy.port} (HTTPS_PROXY)`);
    const authorization = Buffer.from('user:proxypassword').toString('base64');
    expect(proxy.heads).toHaveLength(1);
    for (const head of proxy.heads) {
      expect(head).toMatch(/^CONNECT api\.example:443 HTTP\/1\.1\r\n/);
      expect(head).toContain(`Basic ${authorization}`);
    }
    expect(ended.stdout).not.toContain('proxypassword');
  });

  it('uses none to this machine', async () => {
    const { finding } = await examine(
      environmentOf('https://127.0.0.1:1', { HTTPS_PROXY: 'http://127.0.0.1:1' }),
    );
    expect(finding('proxy')).toMatchObject({ result: 'skipped' });
  });
});

describe('doctor names what is in the way', () => {
  const securely = async (onConnection: (socket: Socket) => unknown, changes: Environment = {}) => {
    const { origin } = await hostilePeer(() => undefined, { onConnection });
    return environmentOf(origin.replace('http:', 'https:'), changes);
  };
  const through = (HTTPS_PROXY: string) => environmentOf('https://api.example', { HTTPS_PROXY });
  const refusing = async (status: number) => {
    const answer = `HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`;
    const { port } = await connectProxy({ refuse: (socket) => socket.end(answer) });
    return through(`127.0.0.1:${port}`);
  };
  const noTls = (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
  const hangUp = (socket: Socket) => socket.once('data', () => socket.destroy());
  const silence = () => undefined;

  it.each<[string, () => Promise<Environment>, string, RegExp, number?]>([
    [
      'no server',
      async () => environmentOf(`https://127.0.0.1:${await unusedPort()}`),
      'connection',
      /refused/,
    ],
    ['no such host', async () => environmentOf('https://nowhere.invalid'), 'dns', /not found/],
    ['plain HTTP', () => securely(noTls), 'tls', /does not speak TLS.* https there/],
    ['a peer that hangs up', () => securely(hangUp), 'tls', /closed/],
    [
      'a silent peer',
      () => securely(silence, { ORGCTL_TIMEOUT: '300ms' }),
      'connection',
      /within 300ms.*raise the timeout/,
    ],
    [
      'a proxy that is down',
      async () => through(`http://127.0.0.1:${await unusedPort()}`),
      'proxy',
      /HTTPS_PROXY.*refused.*NO_PROXY/,
    ],
    ['a proxy that wants a password', () => refusing(407), 'proxy', /user name and password/],
    ['a proxy at no address', async () => through('socks5://u:proxypassword@a'), 'proxy', /HTTPS_PROXY/, 3],
  ])('%s', async (_what, environment, check, said, code = 9) => {
    const { ended, finding, results } = await examine(await environment());
    expect([ended.code, finding(check)?.result]).toEqual([code, 'failed']);
    expect(`${finding(check)?.detail} ${finding(check)?.hint}`).toMatch(said);
    expect(results).toMatchObject({ authentication: 'skipped' });
    expect(ended.stdout + ended.stderr).not.toContain('proxypassword');
  });
});
