import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Certificate, makeAuthority } from '../client/support/certificates.js';
import { headerOf, hostilePeer, httpAnswer, type RecordedRequest } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';
import { connections, fileOf } from './support/connection-entries.js';
import { createdAnswer, pageAnswer, quotaAnswer } from './support/scripted-service.js';

const hour = 3_600_000;
let certificate: Certificate;
let caFile: string;

beforeAll(async () => {
  const authority = await makeAuthority('Test CA');
  caFile = join(temporaryDirectory(), 'ca.pem');
  writeFileSync(caFile, authority.cert);
  certificate = await authority.issue(['127.0.0.1']);
});

const skewNotes = (stderr: string) => stderr.match(/signing with the service.s clock/g)?.length;

/** A service over TLS, its clock an hour ahead, which has a connection `app-0` and room for more. */
async function skewedService() {
  const now = Date.now() + hour;
  let refused = 0;
  const peer = await hostilePeer(
    (request, _socket, nth) => {
      if (Math.abs(Number(headerOf(request, 'x-api-timestamp')) * 1000 - now) < 300_000)
        return answer(request, nth);
      refused++;
      const body = { statusCode: 401, message: 'Invalid or missing X-API-Timestamp' };
      return httpAnswer(401, body, { Date: new Date(now).toUTCString() });
    },
    { tls: certificate },
  );
  const env = {
    ...emptyEnvironment(),
    ...serviceEnvironment({ url: peer.origin, keyId: 'key_test', secret: 's'.repeat(64), caFile }),
  };
  return { peer, env, refused: () => refused };
}

function answer({ method, target, body }: RecordedRequest, nth: number): string {
  if (method === 'POST') return createdAnswer({ body, nth });
  if (target === '/quotas') return quotaAnswer(10);
  return pageAnswer([{ id: 'conn_0', name: 'app-0' }], { total: 1, page: 1, pages: 1 });
}

describe('one command', () => {
  it('uses one connection to the service for requests that follow each other, and corrects its clock once', async () => {
    const { peer, env, refused } = await skewedService();
    const file = fileOf(connections(2));
    const ended = await runCli(['connections', 'create', '--file', file, '--skip-existing'], { env });
    expect(ended.code).toBe(0);
    expect(peer.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST']);
    expect(peer.connections).toBe(1);
    expect([refused(), skewNotes(ended.stderr)]).toEqual([1, 1]);
  });
});

describe('one service, by several keys', () => {
  const service = useService({ clockOffset: hour });

  it('has its clock told once', async () => {
    const env = emptyEnvironment();
    const admin = service.environment({ ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'] });
    await runCli(['api-keys', 'create', '--name', 'old', '--save-profile', 'prod'], { env: admin });
    await runCli(['profile', 'use', 'prod'], { env });
    const ended = await runCli(['api-keys', 'rotate'], { env });
    expect(ended.code).toBe(0);
    expect(skewNotes(ended.stderr)).toBe(1);
  });
});
