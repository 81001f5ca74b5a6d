import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readAdvice } from '../../src/cli/error-report.js';
import { openSender } from '../../src/client/network/direct-sender.js';
import { ConfigError } from '../../src/errors/errors.js';
import { hostilePeer, httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { type Authority, type Certificate, forClients, makeAuthority } from './support/certificates.js';
import { credential } from './support/credential.js';
import { failureOf, openClient } from './support/open-client.js';

const get = { method: 'GET', target: '/quotas' } as const;
const post = { method: 'POST', target: '/teams' } as const;
const directory = mkdtempSync(join(tmpdir(), 'orgctl-client-tls-'));
const path = (name: string) => join(directory, name);

let authority: Authority;
let certificates: Record<'good' | 'expired' | 'early' | 'misnamed' | 'strange' | 'unfit', Certificate>;

afterEach(() => void vi.unstubAllEnvs());

beforeAll(async () => {
  authority = await makeAuthority('Test CA');
  const stranger = await makeAuthority('Another CA');
  certificates = {
    good: await authority.issue(['127.0.0.1']),
    expired: await authority.issue(['127.0.0.1'], { from: -30, to: -1 }),
    early: await authority.issue(['127.0.0.1'], { from: 1, to: 30 }),
    misnamed: await authority.issue(['other.example']),
    unfit: await authority.issue(['127.0.0.1'], undefined, forClients),
    strange: await stranger.issue(['127.0.0.1']),
  };
  writeFileSync(path('ca.pem'), authority.cert);
  writeFileSync(path('stranger.pem'), stranger.cert);
  writeFileSync(path('both.pem'), `# two of them\n${stranger.cert}\n${authority.cert}\n`);
});

const peerOf = (name: keyof typeof certificates) =>
  scriptedPeer([httpAnswer(200, {})], { tls: certificates[name] });

describe('a certificate', () => {
  const withoutIssuer =
    'its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE): it came without the intermediate certificate of its issuer, or its issuer is unknown';
  const byCommand = /public CA.*as the CA file, or "system".*orgctl doctor/;

  it.each([
    ['good', undefined, withoutIssuer, byCommand],
    ['strange', 'ca.pem', withoutIssuer, byCommand],
    ['unfit', 'ca.pem', 'its certificate is not for servers', /orgctl whoami/],
    ['expired', 'ca.pem', 'its certificate has expired', /clock/],
    ['early', 'ca.pem', 'its certificate is not valid yet', /clock/],
    ['misnamed', 'ca.pem', 'its certificate is for another host name', /orgctl whoami/],
  ] as const)('%s with %s is refused before anything is sent', async (name, file, reason, hint) => {
    const peer = await peerOf(name);
    const caFile = file && path(file);
    const { transport, waits } = openClient(peer, { caFile, auth: 'basic', retries: 3 });
    for (const [at, request] of [get, post, get].entries()) {
      // Nobody switches this off.
      if (at === 2) vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      expect(await failureOf(transport.send(request))).toMatchObject({
        code: 'network',
        message: expect.stringContaining(`${peer.origin}: ${reason}`),
        hint: expect.stringMatching(hint),
      });
      expect(peer.connections).toBe(at + 1);
    }
    expect(peer.requests).toEqual([]);
    // The same certificate would come again.
    expect(waits).toEqual([]);
  });

  it.each([
    ['ca.pem', undefined],
    ['both.pem', undefined],
    ['stranger.pem', 'ca.pem'],
  ])('is accepted with its CA in %s or in NODE_EXTRA_CA_CERTS=%s', async (caFile, extra) => {
    const peer = await peerOf('good');
    const env = extra === undefined ? {} : { NODE_EXTRA_CA_CERTS: path(extra) };
    await openClient(peer, { caFile: path(caFile), env }).transport.send(get);
    expect(peer.requests.length).toBe(1);
  });
});

it('older versions of TLS are not spoken, whatever Node is told to take', async () => {
  const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
  onTestFinished(() => void Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS }));
  // As by NODE_OPTIONS='--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0'.
  const weak = 'DEFAULT@SECLEVEL=0';
  Object.assign(tls, { DEFAULT_MIN_VERSION: 'TLSv1', DEFAULT_CIPHERS: weak });
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: weak } as const;
  const peer = await scriptedPeer([httpAnswer(200, {})], { tls: { ...certificates.good, ...old } });
  for (const caFile of [undefined, path('ca.pem')]) {
    const message = expect.stringContaining('the TLS handshake failed');
    const failure = await failureOf(openClient(peer, { caFile }).transport.send(get));
    expect(failure).toMatchObject({ code: 'network', message });
  }
  expect(peer.requests).toEqual([]);
});

describe('a CA file', () => {
  const errorOf = (caFile: string, env = {}) => {
    try {
      openSender({ origin: 'https://127.0.0.1', caFile, env });
    } catch (error) {
      if (error instanceof ConfigError) return { message: error.message, ...readAdvice(error) };
      throw error;
    }
    throw new Error('it was taken');
  };

  it('that cannot be read is an error of configuration', () => {
    const gone = path('nowhere.pem');
    expect(errorOf(gone)).toMatchObject({
      message: expect.stringContaining(`the CA file ${gone} cannot be read: no such file or directory`),
      hint: 'check the CA file',
    });
    expect(errorOf(directory).message).toContain('cannot be read: is a directory');
  });

  const block = '-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n';
  it.each([
    ['text', () => 'no certificate'],
    ['nothing', () => ''],
    ['bytes', () => '\u0000\u0001\u0002'],
    ['a block that is none', () => `${block}-----END CERTIFICATE-----\n`],
    ['a good block before one that is none', () => `${authority.cert}${block}`],
    ['a block that is cut off', () => '-----BEGIN CERTIFICATE-----\nMIIB'],
    ['a private key alone, which is not shown', () => authority.key],
  ])('that holds %s is an error of configuration', (name, text) => {
    const caFile = path(`${name}.pem`);
    writeFileSync(caFile, text());
    const error = errorOf(caFile);
    expect(error).toMatchObject({
      message: expect.stringContaining(`the CA file ${caFile} does not contain PEM certificates`),
      hint: expect.stringContaining('-----BEGIN CERTIFICATE-----'),
    });
    expect(error.message).not.toContain(authority.key.slice(40, 60));
  });
});

it.each([
  [
    'a server of plain HTTP',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    'it does not speak TLS',
    /speaks https there/,
  ],
  [
    'an alert',
    Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]),
    'the TLS handshake failed',
    /TLS versions/,
  ],
])('says why a handshake failed: %s', async (_name, answer, reason, hint) => {
  const peer = await hostilePeer(() => undefined, {
    onConnection: (socket) => socket.once('data', () => socket.end(answer)),
  });
  const origin = peer.origin.replace('http:', 'https:');
  for (const request of [get, post]) {
    expect(await failureOf(openClient({ origin }).transport.send(request))).toMatchObject({
      code: 'network',
      message: expect.stringContaining(`${origin}: ${reason}`),
      hint: expect.stringMatching(hint),
    });
  }
});

it('does not send a secret in clear to a server of TLS that is taken for plain HTTP by mistake', async () => {
  const peer = await peerOf('good');
  const origin = peer.origin.replace('https:', 'http:');
  const failure = await failureOf(openClient({ origin }).transport.send(get));
  expect(['network', 'server']).toContain(failure['code']);
  expect(JSON.stringify(failure)).not.toContain(credential.secret);
});
