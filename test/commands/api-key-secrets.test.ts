import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { type Passage, relayTo } from './support/relay.js';
import { createdAnswer, scriptedService } from './support/scripted-service.js';
import { makeProfilesUnwritable } from './support/unwritable-profiles.js';

const service = useService({ http: true, quotas: { 'api-keys': 1000 } });

const create = ['api-keys', 'create', '--name', 'ci'];

async function relayed(passage: Passage) {
  const peer = await relayTo(service.server, passage);
  return { peer, env: service.environment({ ORGCTL_BASE_URL: peer.origin }) };
}

function storeOf(env: Readonly<Record<string, string | undefined>>) {
  return profileStore({ env, platform: process.platform, homedir: '/' });
}

function recovered(env: Readonly<Record<string, string | undefined>>) {
  const directory = String(env['ORGCTL_CONFIG_DIR']);
  const [name = ''] = readdirSync(directory).filter((each) => each.startsWith('recovered-'));
  const path = join(directory, name);
  const key: { id: string; secret: string } = JSON.parse(readFileSync(path, 'utf8'));
  return { path, mode: statSync(path).mode & 0o777, key };
}

describe('what is printed is checked before anything is sent', () => {
  const connection = ['--name', 'a', '--host', 'h', '--database', 'd', '--user', 'u', '--password-env', 'PW'];
  it.each([
    create,
    ['api-keys', 'disable', 'key_1'],
    ['api-keys', 'delete', 'key_1', '--yes'],
    ['teams', 'create', '--name', 'a'],
    ['teams', 'update', 'team_1', '--name', 'a'],
    ['teams', 'update', 'team_1', 'team_2', '--name', 'a'],
    ['teams', 'delete', 'team_1', '--yes'],
    ['connections', 'create', ...connection],
    ['connections', 'update', 'conn_1', '--name', 'a'],
    ['connections', 'delete', 'conn_1', 'conn_2', '--yes'],
  ])('%s %s', async (...command) => {
    const { peer, env } = await scriptedService({});
    for (const wrong of [
      ['--query', command.filter((word) => /^(team|conn)_/.test(word)).length > 1 ? '[].abs(id)' : 'abs(id)'],
      ['--query', 'frobnicate(@)'],
      ['--columns', 'nosuch'],
      ['--columns', 'nosuch', '-o', 'csv'],
      ['-o', 'nosuch'],
    ]) {
      const ended = await runCli([...command, ...wrong], { env: { ...env, PW: 'x' } });
      expect([ended.code, ended.stdout], String(wrong)).toEqual([2, '']);
    }
    expect(peer.requests).toEqual([]);
  });
});

describe('the secret of a new key is shown whole', () => {
  it.each([80, 60, 40, 20])('on a terminal of %i columns', async (columns) => {
    const ended = await runCli(create, { env: service.environment(), isTTY: { stdout: true }, columns });
    expect(ended.stdout).toMatch(/^ID {6}key_\S+\nNAME {4}ci\nSECRET {2}\S{64}\n$/);
  });

  it('also where the query turns out not to apply', async () => {
    const ended = await runCli([...create, '--query', 'abs(created_at)'], { env: service.environment() });
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stdout)).toMatchObject({ secret: expect.stringMatching(/^.{64}$/) });
    expect(ended.stderr).toContain('was carried out');
  });
});

describe('a secret that stdout does not have is in a recovery file', () => {
  it('when the reader of stdout has left', async () => {
    const env = service.environment();
    const { system, ended } = startCli([...create, '-q'], { env });
    system.closeStdout();
    expect((await ended).code).toBe(0);
    expect((await ended).stderr).toContain(recovered(env).path);
  });

  it('and on stderr where no file can be made', async () => {
    const env = service.environment({ ORGCTL_CONFIG_DIR: '/dev/null/none' });
    const { stdout, stderr } = await runCli([...create, '--query', 'id'], { env });
    expect(stderr).toMatch(new RegExp(`${JSON.parse(stdout)}.* [0-9a-zA-Z]{64}"}\n`));
  });
});

describe('a sink that fails once the key is there', () => {
  it('shows the secret: a file that has come meanwhile', async () => {
    const path = join(temporaryDirectory(), 'secret');
    const after = (call: string) => {
      if (call === 'POST /api-keys') writeFileSync(path, 'precious');
      return undefined;
    };
    const { env } = await relayed({ after });
    const ended = await runCli([...create, '--secret-file', path, '-o', 'json'], { env });
    expect(ended.code).toBe(2);
    const { id, secret } = JSON.parse(ended.stdout);
    expect(secret).toMatch(/^.{64}$/);
    expect(errorOf(ended)).toMatchObject({
      message: `--secret-file ${path}: file already exists`,
      hint: `the key ${id} was created; its secret is on stdout`,
    });
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect(existsSync(`${path}.pending`)).toBe(false);
  });

  it('shows the secret: a profile that has come meanwhile', async () => {
    const other = { baseUrl: 'https://other.example', keyId: 'key_other', secret: 'o' };
    const after = async (call: string) => {
      if (call === 'POST /api-keys') await storeOf(env).add('ci', other);
      return undefined;
    };
    const { env } = await relayed({ after });
    const ended = await runCli([...create, '--save-profile', 'ci', '-o', 'json'], { env });
    expect(ended.code).toBe(2);
    const { id, secret } = JSON.parse(ended.stdout);
    expect(secret).toMatch(/^.{64}$/);
    expect(errorOf(ended)).toMatchObject({
      message: 'profile "ci" already exists',
      hint: `the key ${id} was created; its secret is on stdout`,
    });
    // Nor is the creation recorded any more.
    expect(await storeOf(env).read()).toEqual({ version: 1, current: 'ci', profiles: { ci: other } });
  });

  it.each([
    ['--save-profile', 'new'],
    ['--secret-file', '/dev/null/none/secret'],
  ])('%s: one that cannot be written is found before', async (...sink) => {
    const { peer, env } = await scriptedService({ 'POST /api-keys': createdAnswer });
    makeProfilesUnwritable(env);
    const ended = await runCli([...create, ...sink], { env });
    expect(ended.code).toBeGreaterThan(1);
    expect(peer.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

describe('a creation that the service refuses', () => {
  it.each(['--save-profile', '--secret-file'])('%s: leaves nothing of what was recorded', async (flag) => {
    const path = join(temporaryDirectory(), 'secret');
    const recorded: unknown[] = [];
    const { env } = await scriptedService({
      'POST /api-keys': async () => {
        const { creating } = await storeOf(env).read();
        recorded.push(creating?.['new'] ?? existsSync(`${path}.pending`));
        return httpAnswer(403, { statusCode: 403, message: 'no' });
      },
    });
    const place = flag === '--save-profile' ? 'new' : path;
    expect((await runCli([...create, flag, place], { env })).code).toBe(5);
    expect(recorded).toEqual([flag === '--save-profile' ? expect.objectContaining({ name: 'ci' }) : true]);
    expect(await storeOf(env).read()).toEqual({ version: 1, profiles: {} });
    expect([existsSync(path), existsSync(`${path}.pending`)]).toEqual([false, false]);
  });
});

describe('a profile of a new key', () => {
  it('has what the key was created with, and no authority where none was given', async () => {
    const { env, peer } = await scriptedService({
      'POST /api-keys': () => httpAnswer(201, { id: 'key_new', secret: 's3cret' }),
    });
    const ended = await runCli([...create, '--save-profile', 'new', '--auth', 'basic'], { env });
    expect(ended.code).toBe(0);
    const made = { baseUrl: peer.origin, auth: 'basic', keyId: 'key_new', secret: 's3cret' };
    expect(await storeOf(env).read()).toStrictEqual({ version: 1, current: 'new', profiles: { new: made } });
  });
});

describe('the key that signs', () => {
  async function ownKey() {
    const made = await runCli([...create, '-o', 'json'], { env: service.environment() });
    const key: { id: string; secret: string } = JSON.parse(made.stdout);
    return { id: key.id, env: service.environment({ ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: key.secret }) };
  }

  describe.each(['delete', 'disable'])('api-keys %s', (verb) => {
    it.each([[[]], [['--yes']]])('is refused with %j', async (options) => {
      const { id, env } = await ownKey();
      const ended = await runCli(['api-keys', verb, id, ...options], { env });
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain('--even-mine');
      expect((await runCli(['quotas'], { env })).code).toBe(0);
    });

    it('goes on with --yes --even-mine', async () => {
      const { id, env } = await ownKey();
      const ended = await runCli(['api-keys', verb, id, '--yes', '--even-mine', '-q'], { env });
      expect(ended).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^warning: .*lock yourself out\n$/),
      });
      expect((await runCli(['quotas'], { env })).code).toBeGreaterThan(3);
    });

    it.each([
      ['y', 130],
      ['ID', 0],
    ])('asks for its ID on a terminal, and gets %s', async (answer, code) => {
      const { id, env } = await ownKey();
      const typed = `${answer === 'ID' ? id : answer}\r`;
      const ended = await runCli(['api-keys', verb, id], { env, isTTY: true, stdin: typed });
      expect(ended.stderr).toContain('lock yourself out');
      expect(ended.code).toBe(code);
      expect((await runCli(['quotas'], { env })).code === 0).toBe(code !== 0);
    });
  });

  it.each([
    ['n', 130, true],
    ['y', 0, false],
  ])('another key is disabled on a terminal after a question: %s', async (answer, code, enabled) => {
    const { id } = await ownKey();
    const env = service.environment();
    const ended = await runCli(['api-keys', 'disable', id], { env, isTTY: true, stdin: `${answer}\r` });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(new RegExp(`Disable API key ${id}, .* on http://`));
    const shown = await runCli(['api-keys', 'get', id, '-o', 'json'], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ enabled });
  });
});

describe('profile add', () => {
  it('tries the key with the effective settings', async () => {
    const { peer, env } = await scriptedService({});
    const add = ['profile', 'add', 'x', '--base-url', peer.origin, '--key-id', 'key_x', '--secret-env', 'S'];
    const settings = { ORGCTL_RETRIES: '0', ORGCTL_AUTH: 'basic', S: 's'.repeat(64) };
    await runCli(add, { env: { ...emptyEnvironment(), ...env, ...settings } });
    expect(peer.requests).toHaveLength(1);
    expect(peer.requests[0]?.headers.map(([name]) => name.toLowerCase())).toContain('authorization');
  });
});
