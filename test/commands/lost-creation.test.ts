import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { relayTo } from './support/relay.js';
import { scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { 'api-keys': 1000 } });

describe('api-keys create whose answer never came', () => {
  it.each([
    ['stdout', () => []],
    ['--save-profile', () => ['--save-profile', 'mine']],
    ['--secret-file', () => ['--secret-file', join(temporaryDirectory(), 'secret')]],
  ])('into %s is exit 11 and names the key; the next run deletes nothing', async (_flag, place) => {
    const name = randomUUID();
    let drops = 1;
    const peer = await relayTo(service.server, {
      after: (call) => (call === 'POST /api-keys' && drops-- > 0 ? 'drop' : undefined),
    });
    const env = service.environment({ ORGCTL_BASE_URL: peer.origin });
    const args = ['api-keys', 'create', '--name', name, ...place(), '-o', 'json'];
    const first = await runCli(args, { env });
    expect([first.code, first.stdout]).toEqual([11, '']);
    expect(errorOf(first)['hint']).toContain(`a key named "${name}" may exist`);
    const next = ['orgctl', 'api-keys', 'list', '--all', '--name', name];
    expect(errorOf(first)['next']).toEqual(next);
    expect((await runCli(args, { env })).code).toBe(0);
    const listed = await runCli(['api-keys', 'list', '--all', '--name', name, '-o', 'json'], { env });
    expect(JSON.parse(listed.stdout)).toHaveLength(2);
    expect(peer.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it('is found beside a list that cannot be read: create reads none', async () => {
    const { env, peer } = await scriptedService({
      'GET /api-keys': () => httpAnswer(500, { message: 'no' }),
      'POST /api-keys': () => httpAnswer(201, { id: 'key_new', secret: 's'.repeat(64) }),
    });
    const place = join(temporaryDirectory(), 'secret');
    const create = ['api-keys', 'create', '--name', 'ci', '--secret-file', place];
    expect((await runCli(create, { env })).code).toBe(0);
    expect(existsSync(place)).toBe(true);
    expect(peer.requests.map(({ method }) => method)).toEqual(['POST']);
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    expect(await store.read()).toEqual({ version: 1, profiles: {} });
  });
});
