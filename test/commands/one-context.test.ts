import { describe, expect, it } from 'vitest';
import { headerOf, hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli } from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';
import { connections, fileOf } from './support/connection-entries.js';
import { createdAnswer, pageAnswer, quotaAnswer } from './support/scripted-service.js';

const hour = 3_600_000;
const skewNotes = (stderr: string) => stderr.match(/signing with the service.s clock/g)?.length;

describe('one command', () => {
  it('uses one connection to the service for requests that follow each other, and corrects its clock once', async () => {
    const now = Date.now() + hour;
    let refused = 0;
    const peer = await hostilePeer((request, _socket, nth) => {
      if (Math.abs(Number(headerOf(request, 'x-api-timestamp')) * 1000 - now) > 300_000) {
        refused++;
        const body = { statusCode: 401, message: 'Invalid or missing X-API-Timestamp' };
        return httpAnswer(401, body, { Date: new Date(now).toUTCString() });
      }
      if (request.method === 'POST') return createdAnswer({ ...request, nth });
      if (request.target === '/quotas') return quotaAnswer(10);
      return pageAnswer([{ id: 'conn_0', name: 'app-0' }], { total: 1, page: 1, pages: 1 });
    });
    const credential = { url: peer.origin, keyId: 'key_test', secret: 's'.repeat(64) };
    const env = { ...emptyEnvironment(), ...serviceEnvironment(credential) };
    const create = ['connections', 'create', '--file', fileOf(connections(2)), '--skip-existing'];
    const ended = await runCli(create, { env });
    expect(ended.code).toBe(0);
    expect(peer.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST']);
    expect([peer.connections, refused, skewNotes(ended.stderr)]).toEqual([1, 1, 1]);
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
    expect([ended.code, skewNotes(ended.stderr)]).toEqual([0, 1]);
  });
});
