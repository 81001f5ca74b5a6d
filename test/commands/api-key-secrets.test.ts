import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

it.each([
  ['api-keys', 'key'],
  ['teams', 'team'],
])('%s create asks for a name on a terminal, and again for a bad one', async (kind, singular) => {
  const env = service.environment();
  const isTTY = { stdin: true, stderr: true };
  const { system, ended } = startCli([kind, 'create', '-o', 'json'], { env, isTTY });
  await expect.poll(() => system.stderrText()).toContain(`Name of the ${singular}:`);
  system.type('\r');
  await expect.poll(() => system.stderrText()).toContain('an answer is needed');
  system.type('asked\r');
  const { code, stdout } = await ended;
  expect({ code, made: JSON.parse(stdout) }).toMatchObject({ code: 0, made: { name: 'asked' } });
});

describe('api-keys create', () => {
  it.each([
    [[], 'nothing to create'],
    [['-d', '[1]'], 'not a JSON object'],
    [['-d', '{"name":"a",\n"name":"b"}'], '--data:2:1: duplicate key'],
    [['--name', 'x', '--field', 'novalue'], 'name=value'],
    [['--name', 'x', '--save-profile', 'a', '--secret-file', 'b'], 'cannot be used with option'],
    [['--name', 'x', '--save-profile', 'no/name'], 'not a profile name'],
  ])('refuses %j before a key exists', async (args, message) => {
    const { env, peer } = await scriptedService({});
    const ended = await runCli(['api-keys', 'create', ...args], { env });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(peer.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('puts the secret into a new file, of the directory in which it runs, that only its owner can read', async () => {
    const cwd = temporaryDirectory();
    const ended = await runCli([...create, '-o', 'json', '--secret-file', 'secret'], {
      env: service.environment(),
      cwd,
    });
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`the secret is in ${join(cwd, 'secret')}`),
    });
    const key = JSON.parse(ended.stdout);
    expect(key).not.toHaveProperty('secret');
    expect(statSync(join(cwd, 'secret')).mode & 0o777).toBe(0o600);
    const secret = readFileSync(join(cwd, 'secret'), 'utf8');
    expect(secret).toMatch(/^.{64}$/);
    expect(ended.stdout + ended.stderr).not.toContain(secret);
    const own = service.environment({ ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: secret });
    expect((await runCli(['quotas'], { env: own })).code).toBe(0);
  });
});

describe('the secret of a new key', () => {
  it('is shown whole on a narrow terminal', async () => {
    const narrow = { isTTY: { stdout: true }, columns: 20 };
    const ended = await runCli(create, { env: service.environment(), ...narrow });
    expect(ended.stdout).toMatch(/^ID {6}key_\S+\nNAME {4}ci\nSECRET {2}\S{64}\n$/);
  });

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

  it('is named, even with --quiet, where the query selects nothing of what is printed', async () => {
    const where = place();
    const ended = await runCli([...create, flag, where, '--query', 'secret', '-r', '-q'], {
      env: service.environment(),
    });
    const { id } = JSON.parse(ended.stdout);
    const isProfile = flag === '--save-profile';
    const kept = isProfile ? 'saved as profile "ci"; use it with --profile ci' : `the secret is in ${where}`;
    expect([ended.code, errorOf(ended)['hint']]).toEqual([
      10,
      `API key ${id} was created; ${kept}; the rest of the response is on stdout`,
    ]);
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

it('a profile of a new key has what the key was created with, and no authority where none was given', async () => {
  const { env, peer } = await scriptedService({
    'POST /api-keys': () => httpAnswer(201, { id: 'key_new', secret: 's3cret' }),
  });
  expect((await runCli([...create, '--save-profile', 'new', '--auth', 'basic'], { env })).code).toBe(0);
  const made = { baseUrl: peer.origin, auth: 'basic', keyId: 'key_new', secret: 's3cret' };
  expect(await storeOf(env).read()).toStrictEqual({ version: 1, current: 'new', profiles: { new: made } });
});

it('profile add tries the key with the settings of the profile', async () => {
  const { peer, env } = await scriptedService({});
  const add = ['profile', 'add', 'x', '--base-url', peer.origin, '--key-id', 'key_x', '--secret-env', 'S'];
  const settings = { ORGCTL_RETRIES: '0', S: 's'.repeat(64) };
  await runCli([...add, '--auth', 'basic'], { env: { ...env, ...settings } });
  const headers = peer.requests.map((each) => each.headers.map(([name]) => name.toLowerCase()));
  expect(headers.length).toBeGreaterThan(0);
  for (const names of headers) expect(names).toContain('authorization');
});

describe('the key that signs', () => {
  async function ownKey() {
    const made = await runCli([...create, '-o', 'json'], { env: service.environment() });
    const key: { id: string; secret: string } = JSON.parse(made.stdout);
    return { id: key.id, env: service.environment({ ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: key.secret }) };
  }

  describe.each(['delete', 'disable'])('api-keys %s', (verb) => {
    const lockOut = 'lock yourself out';

    it.each<[string[], string | undefined, number, string]>([
      [['--yes'], undefined, 2, '--even-mine'],
      [['--even-mine'], undefined, 2, '--yes --even-mine'],
      [['--yes', '--even-mine', '-q'], undefined, 0, lockOut],
      [[], 'y', 130, lockOut],
      [[], 'ID', 0, lockOut],
    ])('is protected: %j, and %s typed on a terminal', async (options, typed, code, said) => {
      const { id, env } = await ownKey();
      const terminal = typed && { isTTY: true, stdin: `${typed === 'ID' ? id : typed}\r` };
      const ended = await runCli(['api-keys', verb, id, ...options], { env, ...terminal });
      expect(ended).toMatchObject({ code, stderr: expect.stringContaining(said) });
      expect((await runCli(['quotas'], { env })).code === 0).toBe(code !== 0);
    });
  });

  it('api-keys delete asks for its ID, and then for all that it is to delete', async () => {
    const [{ id, env }, other] = [await ownKey(), await ownKey()];
    const stdin = `${id}\rn\r`;
    const ended = await runCli(['api-keys', 'delete', id, other.id], { env, isTTY: true, stdin });
    expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Delete 2 API keys on ') });
    for (const each of [env, other.env]) expect((await runCli(['quotas'], { env: each })).code).toBe(0);
  });

  it.each(['delete', 'disable'])('api-keys %s names the stored profiles of that key only', async (verb) => {
    const { id } = await ownKey();
    const { url, keyId, secret } = service.server;
    const env = { ...service.environment(), ORGCTL_KEY_ID: undefined, ORGCTL_SECRET: undefined };
    const store = storeOf(env);
    await store.add('mine', { baseUrl: url, keyId, secret });
    await store.add('ci', { baseUrl: url, keyId: id, secret });
    await store.add('other', { baseUrl: 'https://api.example.com', keyId: id, secret });
    const ended = await runCli(['api-keys', verb, id, '--yes', '-p', 'mine'], { env });
    expect(ended).toMatchObject({ code: 0, stderr: 'profiles that will stop working: ci\n' });
  });

  it.each([
    ['n', 130, true],
    ['y', 0, false],
  ])('is none that is disabled on a terminal after a simple question: %s', async (answer, code, enabled) => {
    const { id } = await ownKey();
    const env = service.environment();
    const ended = await runCli(['api-keys', 'disable', id], { env, isTTY: true, stdin: `${answer}\r` });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(
      new RegExp(`Disable API key ${id} on http://.*\\? The API cannot re-enable it\\.`),
    );
    const shown = await runCli(['api-keys', 'get', id, '-o', 'json'], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ enabled });
  });
});
