import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Authority, type Certificate, makeAuthority } from '../client/support/certificates.js';
import { connectProxy } from '../client/support/connect-proxy.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { temporaryDirectory } from '../support/run-cli.js';
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

describe('doctor on TLS', () => {
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
});
