import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readAdvice } from '../../src/cli/error-report.js';
import { openDispatcher } from '../../src/client/network/dispatcher.js';
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
let stranger: Authority;
let certificates: Record<'good' | 'expired' | 'early' | 'misnamed' | 'strange' | 'unfit', Certificate>;

afterEach(() => void vi.unstubAllEnvs());

beforeAll(async () => {
  authority = await makeAuthority('Test CA');
  stranger = await makeAuthority('Another CA');
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

describe('a certificate', () => {
  it.each([
    ['good', 'stranger.pem', 'its certificate is not trusted', '--ca-file'],
    ['strange', 'ca.pem', 'its certificate is not trusted', '--ca-file'],
    ['unfit', 'ca.pem', 'its certificate is not for servers', 'orgctl whoami'],
    ['expired', 'ca.pem', 'its certificate has expired', 'clock'],
    ['early', 'ca.pem', 'its certificate is not valid yet', 'clock'],
    ['misnamed', 'ca.pem', 'its certificate is for another host name', 'orgctl whoami'],
  ] as const)('%s with %s is refused before anything is sent', async (name, caFile, reason, hint) => {
    const peer = await scriptedPeer([httpAnswer(200, {})], { tls: certificates[name] });
    const { transport, waits } = openClient(peer, { caFile: path(caFile), auth: 'basic', retries: 3 });
    for (const request of [get, post]) {
      expect(await failureOf(transport.send(request))).toMatchObject({
        code: 'network',
        message: expect.stringContaining(`${peer.origin}: ${reason}`),
        hint: expect.stringContaining(hint),
      });
    }
    expect(peer.requests).toEqual([]);
    // The same certificate would come again.
    expect(waits).toEqual([]);
  });

  it('of a CA that nobody named is refused', async () => {
    const peer = await scriptedPeer([httpAnswer(200, {})], { tls: certificates.good });
    expect(await failureOf(openClient(peer).transport.send(get))).toMatchObject({
      code: 'network',
      hint: expect.stringMatching(/--ca-file ca\.pem.*--ca-file system.*orgctl doctor/),
    });
    expect(peer.requests).toEqual([]);
  });

  it.each(['ca.pem', 'both.pem'])('is accepted with its CA in %s', async (caFile) => {
    const peer = await scriptedPeer([httpAnswer(200, {})], { tls: certificates.good });
    await openClient(peer, { caFile: path(caFile) }).transport.send(get);
    expect(peer.requests.length).toBe(1);
  });

  it('is accepted with its CA in NODE_EXTRA_CA_CERTS, though another CA file is given', async () => {
    const peer = await scriptedPeer([httpAnswer(200, {})], { tls: certificates.good });
    const env = { NODE_EXTRA_CA_CERTS: path('ca.pem') };
    await openClient(peer, { caFile: path('stranger.pem'), env }).transport.send(get);
    expect(peer.requests.length).toBe(1);
  });

  it('is asked for once, and again by the next request', async () => {
    const peer = await scriptedPeer([httpAnswer(200, {})], { tls: certificates.expired });
    const client = openClient(peer, { caFile: path('ca.pem'), retries: 2 });
    for (const connections of [1, 2]) {
      expect(await failureOf(client.transport.send(post))).toMatchObject({ code: 'network' });
      expect([peer.connections, client.waits.length, peer.requests.length]).toEqual([connections, 0, 0]);
    }
  });
});

describe('verification cannot be switched off', () => {
  it.each(['strange', 'expired', 'misnamed'] as const)(
    'by NODE_TLS_REJECT_UNAUTHORIZED: %s is refused, and nothing is sent',
    async (name) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      const peer = await scriptedPeer([httpAnswer(200, {})], { tls: certificates[name] });
      for (const caFile of [undefined, path('ca.pem')]) {
        const { transport } = openClient(peer, { caFile, auth: 'basic' });
        expect(await failureOf(transport.send(get))).toMatchObject({ code: 'network' });
      }
      expect(peer.requests).toEqual([]);
    },
  );

  it('by older versions of TLS, whatever Node is told to take', async () => {
    const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
    onTestFinished(() => void Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS }));
    // As by NODE_OPTIONS='--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0'.
    const weak = 'DEFAULT@SECLEVEL=0';
    Object.assign(tls, { DEFAULT_MIN_VERSION: 'TLSv1', DEFAULT_CIPHERS: weak });
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: weak } as const;
    const peer = await scriptedPeer([httpAnswer(200, {})], { tls: { ...certificates.good, ...old } });
    for (const caFile of [undefined, path('ca.pem')]) {
      expect(await failureOf(openClient(peer, { caFile }).transport.send(get))).toMatchObject({
        code: 'network',
        message: expect.stringContaining('the TLS handshake failed'),
      });
    }
    expect(peer.requests).toEqual([]);
  });
});

describe('a CA file', () => {
  const open = (caFile: string, env = {}) => openDispatcher({ origin: 'https://127.0.0.1', caFile, env });
  const errorOf = (caFile: string, env = {}) => {
    try {
      open(caFile, env);
    } catch (error) {
      if (error instanceof ConfigError) return { message: error.message, ...readAdvice(error) };
      throw error;
    }
    throw new Error('it was taken');
  };

  it('that cannot be read is an error of configuration', () => {
    expect(errorOf(path('nowhere.pem'))).toMatchObject({
      message: expect.stringContaining(
        `the CA file ${path('nowhere.pem')} cannot be read: no such file or directory`,
      ),
      hint: 'orgctl whoami shows where the path comes from; --ca-file names another',
    });
    expect(errorOf(directory)).toMatchObject({
      message: expect.stringContaining('cannot be read: is a directory'),
    });
  });

  it.each([
    ['text', 'no certificate'],
    ['nothing', ''],
    ['bytes', '\u0000\u0001\u0002'],
    ['a block that is none', '-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n'],
    ['a good block before one that is none', `GOOD-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n`],
    ['a block that is cut off', '-----BEGIN CERTIFICATE-----\nMIIB'],
  ])('that holds %s is an error of configuration', (name, text) => {
    const caFile = path(`${name}.pem`);
    writeFileSync(caFile, text.replace('GOOD', authority.cert));
    expect(errorOf(caFile)).toMatchObject({
      message: expect.stringContaining(`the CA file ${caFile} does not contain PEM certificates`),
      hint: expect.stringContaining('-----BEGIN CERTIFICATE-----'),
    });
  });

  it('that holds a private key alone is an error of configuration, and the key is not shown', () => {
    writeFileSync(path('key.pem'), authority.key);
    const { message } = errorOf(path('key.pem'));
    expect(message).toContain('does not contain PEM certificates');
    expect(message).not.toContain(authority.key.slice(40, 60));
  });

  it('of the environment is named as such', () => {
    expect(errorOf(path('ca.pem'), { NODE_EXTRA_CA_CERTS: path('nowhere.pem') })).toMatchObject({
      hint: 'check the path given by NODE_EXTRA_CA_CERTS',
    });
  });
});

it('says so when Node was told to take ciphers that there are not', async () => {
  const { DEFAULT_CIPHERS } = tls;
  onTestFinished(() => void Object.assign(tls, { DEFAULT_CIPHERS }));
  const peer = await hostilePeer(() => undefined, { tls: certificates.good });
  for (const caFile of [undefined, path('ca.pem')]) {
    const { transport } = openClient(peer, { caFile });
    // As by NODE_OPTIONS=--tls-cipher-list=nonsense.
    Object.assign(tls, { DEFAULT_CIPHERS: 'nonsense' });
    expect(await failureOf(transport.send(get))).toMatchObject({
      code: 'network',
      message: `${peer.origin}: the TLS handshake failed (ERR_SSL_NO_CIPHER_MATCH)`,
    });
  }
});

it('says that a server of plain HTTP does not speak TLS', async () => {
  const peer = await scriptedPeer(['HTTP/1.1 400 Bad Request\r\n\r\n'], {
    onConnection: (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  });
  const origin = peer.origin.replace('http:', 'https:');
  for (const request of [get, post]) {
    expect(await failureOf(openClient({ origin }).transport.send(request))).toMatchObject({
      code: 'network',
      message: `${origin}: it does not speak TLS`,
      hint: expect.stringContaining('https'),
    });
  }
});

it('does not send a secret in clear to a server of TLS that is taken for plain HTTP by mistake', async () => {
  const peer = await hostilePeer(() => undefined, { tls: certificates.good });
  const origin = peer.origin.replace('https:', 'http:');
  const failure = await failureOf(openClient({ origin }).transport.send(get));
  expect(['network', 'server']).toContain(failure['code']);
  expect(JSON.stringify(failure)).not.toContain(credential.secret);
});

it('says that a handshake failed that the server broke off with an alert', async () => {
  const alert = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]);
  const peer = await hostilePeer(() => undefined, {
    onConnection: (socket) => socket.once('data', () => socket.end(alert)),
  });
  const origin = peer.origin.replace('http:', 'https:');
  expect(await failureOf(openClient({ origin }).transport.send(post))).toMatchObject({
    code: 'network',
    message: expect.stringContaining('the TLS handshake failed'),
  });
});
