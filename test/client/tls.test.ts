import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Authority, type Certificate, forClients, makeAuthority } from '../support/certificates.js';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
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
  const withoutIssuer = 'its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)';
  const byCommand = /as the CA file, or "system".*public CA.*orgctl doctor/;

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
    ['ca.pem', {}],
    ['both.pem', {}],
    ['stranger.pem', { NODE_EXTRA_CA_CERTS: path('ca.pem') }],
    ['system', { SSL_CERT_FILE: path('ca.pem') }],
  ])('is accepted with its CA in %s or in a variable: %j', async (name, env) => {
    const peer = await peerOf('good');
    const caFile = name === 'system' ? name : path(name);
    await openClient(peer, { caFile, env }).transport.send(get);
    expect(peer.requests.length).toBe(1);
  });
});
