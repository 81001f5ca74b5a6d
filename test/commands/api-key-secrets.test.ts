import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { relayTo } from './support/relay.js';
import { createdAnswer, scriptedService } from './support/scripted-service.js';
import { makeProfilesUnwritable } from './support/unwritable-profiles.js';

const service = useService({ quotas: { 'api-keys': 1000 } });

const create = ['api-keys', 'create', '--name', 'ci'];

function storeOf(env: Readonly<Record<string, string | undefined>>) {
  return profileStore({ env, platform: process.platform, homedir: '/' });
}

it.each([
  'api-keys create --name ci',
  'teams update team_1 team_2 --name a',
  'connections create --name a --host h --database d --user u --password-env PW',
  'connections delete conn_1 conn_2 --yes',
])('what is printed is checked before anything is sent %s', async (line) => {
  const { peer, env } = await scriptedService({});
  const isList = /_1 \w+_2/.test(line);
  for (const wrong of [
    ['--query', isList ? '[].abs(id)' : 'abs(id)'],
    ['--query', 'frobnicate(@)'],
    ['--columns', 'nosuch'],
    ['-o', 'nosuch'],
  ]) {
    const ended = await runCli([...line.split(' '), ...wrong], { env: { ...env, PW: 'x' } });
    expect([ended.code, ended.stdout], String(wrong)).toEqual([2, '']);
  }
  expect(peer.requests).toEqual([]);
});

describe('the secret of a new key', () => {
  it('is shown also where the query turns out not to apply', async () => {
    const ended = await runCli([...create, '--query', 'abs(created_at)'], { env: service.environment() });
    expect(ended).toMatchObject({ code: 10, stderr: expect.stringContaining('was carried out') });
    expect(JSON.parse(ended.stdout)).toMatchObject({ secret: expect.stringMatching(/^.{64}$/) });
  });

  it('is on stderr where no file can be made and the reader of stdout has left', async () => {
    const env = service.environment({ ORGCTL_CONFIG_DIR: '/dev/null/none' });
    const { system, ended } = startCli(create, { env });
    system.closeStdout();
    expect((await ended).stderr).toMatch(/: [0-9a-f]{64}\n$/);
  });
});

describe.each(['--save-profile', '--secret-file'])('%s', (flag) => {
  const other = { baseUrl: 'https://other.example', keyId: 'key_other', secret: 'o' };
  const place = () => (flag === '--save-profile' ? 'ci' : join(temporaryDirectory(), 'secret'));

  it('shows the secret where something else took the place meanwhile, and leaves that as it is', async () => {
    const where = place();
    const isProfile = flag === '--save-profile';
    const peer = await relayTo(service.server, {
      after: async (call) => {
        if (call !== 'POST /api-keys') return undefined;
        await (isProfile ? storeOf(env).add('ci', other) : writeFileSync(where, 'precious'));
        return undefined;
      },
    });
    const env = service.environment({ ORGCTL_BASE_URL: peer.origin });
    const ended = await runCli([...create, flag, where, '-o', 'json'], { env });
    expect(ended.code).toBe(3);
    const { id, secret } = JSON.parse(ended.stdout);
    expect(secret).toMatch(/^.{64}$/);
    const message = isProfile
      ? 'profile "ci" already exists'
      : `${flag} ${where}: the file exists and is not overwritten`;
    expect(errorOf(ended)).toMatchObject({
      message,
      hint: `the key ${id} was created; its secret is on stdout`,
    });
    if (isProfile) expect((await storeOf(env).read()).profiles).toEqual({ ci: other });
    else expect(readFileSync(where, 'utf8')).toBe('precious');
  });

  it('that cannot be written is found before anything is sent', async () => {
    const { peer, env } = await scriptedService({ 'POST /api-keys': createdAnswer });
    makeProfilesUnwritable(env);
    const where = flag === '--save-profile' ? 'ci' : '/dev/null/none/secret';
    expect((await runCli([...create, flag, where], { env })).code).toBeGreaterThan(1);
    expect(peer.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('is as it was where the service refuses the creation', async () => {
    const where = place();
    const { env } = await scriptedService({
      'POST /api-keys': () => httpAnswer(403, { statusCode: 403, message: 'no' }),
    });
    expect((await runCli([...create, flag, where], { env })).code).toBe(5);
    expect(await storeOf(env).read()).toEqual({ version: 1, profiles: {} });
    expect(existsSync(where)).toBe(false);
  });
});
