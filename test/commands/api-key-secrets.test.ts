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

type Env = Readonly<Record<string, string | undefined>>;

async function relayed(passage: Passage) {
  const peer = await relayTo(service.server, passage);
  return { peer, env: service.environment({ ORGCTL_BASE_URL: peer.origin }) };
}

async function keysNamed(name: string): Promise<{ id: string }[]> {
  const env = service.environment();
  const { stdout } = await runCli(['api-keys', 'list', '--all', '-o', 'json'], { env });
  const keys: { id: string; name: string }[] = JSON.parse(stdout);
  return keys.filter((key) => key.name === name);
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

/** A creation whose first answer is lost, with the key that nobody has the secret of, and what repeats the command. */
async function lostCreation(flag: string, name: string) {
  let dropped = 0;
  const after = (call: string) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined);
  const { peer, env } = await relayed({ after });
  const place = flag === '--save-profile' ? 'mine' : join(temporaryDirectory(), 'secret');
  await runCli(['api-keys', 'create', '--name', name], { env: service.environment() });
  const [before] = await keysNamed(name);
  const args = ['api-keys', 'create', '--name', name, flag, place, '-o', 'json'];
  const first = await runCli(args, { env });
  expect(first.code).toBe(11);
  expect(errorOf(first)['hint']).toContain('same command');
  const [orphan] = (await keysNamed(name)).filter(({ id }) => id !== before?.id);
  const idsNow = async () => (await keysNamed(name)).map(({ id }) => id).sort();
  return { peer, env, place, args, before: String(before?.id), orphan: String(orphan?.id), idsNow };
}

describe('a creation whose answer never came', () => {
  it('--save-profile: the next run deletes that key', async () => {
    const { env, args, before, orphan, idsNow } = await lostCreation('--save-profile', 'lost profile');
    const second = await runCli(args, { env });
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(`deleted ${orphan}`);
    expect(await idsNow()).toEqual([before, JSON.parse(second.stdout).id].sort());
  });

  it('--secret-file: the next run asks on a terminal, and deletes that key', async () => {
    const { env, args, before, orphan, idsNow } = await lostCreation('--secret-file', 'lost file');
    const second = await runCli(args, { env, isTTY: { stdin: true, stderr: true }, stdin: 'y\r' });
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(`Delete ${orphan} ("lost file", never used)`);
    expect(await idsNow()).toEqual([before, JSON.parse(second.stdout).id].sort());
  });

  it('--secret-file: a key that is not to be deleted stays, and another is created', async () => {
    const { env, args, before, orphan, idsNow, place } = await lostCreation('--secret-file', 'lost, kept');
    const second = await runCli(args, { env, isTTY: { stdin: true, stderr: true }, stdin: 'n\r' });
    expect(second.code).toBe(0);
    expect(await idsNow()).toEqual([before, orphan, JSON.parse(second.stdout).id].sort());
    expect(existsSync(`${place}.pending`)).toBe(false);
  });

  it('--secret-file: without a terminal nothing is deleted, and what to type is said', async () => {
    const { peer, env, args, before, orphan, idsNow } = await lostCreation('--secret-file', 'lost in CI');
    const second = await runCli(args, { env });
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(`orgctl api-keys delete ${orphan}`);
    expect(peer.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(await idsNow()).toEqual([before, orphan, JSON.parse(second.stdout).id].sort());
  });

  it('deletes none where several could be it', async () => {
    const name = 'several';
    const { env } = await relayed({ after: (call) => (call === 'POST /api-keys' ? 'drop' : undefined) });
    const args = ['api-keys', 'create', '--name', name, '--save-profile', 'mine', '-o', 'json'];
    expect((await runCli(args, { env })).code).toBe(11);
    await runCli(['api-keys', 'create', '--name', name], { env: service.environment() });
    const ids = (await keysNamed(name)).map(({ id }) => id);
    const again = await runCli(args, { env });
    expect(again.code).toBe(3);
    for (const id of ids) expect(again.stderr).toContain(id);
    expect((await keysNamed(name)).map(({ id }) => id)).toEqual(ids);
  });
});

describe('a record that another service, key or person left deletes nothing and gives nothing', () => {
  /** What is in the record's place when a key of the name is created by `env`, and all that follows. */
  async function createOver(flag: string, { env, place, name }: { env: Env; place: string; name: string }) {
    const args = ['api-keys', 'create', '--name', name, flag, place, '-o', 'json'];
    service.server.control.journal.clear();
    const ended = await runCli(args, { env });
    expect(ended.code, ended.stderr).toBe(0);
    expect(service.server.control.journal.count({ method: 'DELETE' })).toBe(0);
    const { id }: { id: string } = JSON.parse(ended.stdout);
    const secret =
      flag === '--save-profile' ? (await storeOf(env).get(place)).secret : readFileSync(place, 'utf8');
    const own = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
    expect((await runCli(['quotas'], { env: own })).code).toBe(0);
    return ended;
  }

  describe.each(['--save-profile', '--secret-file'])('%s', (flag) => {
    it('of another address', async () => {
      const name = `elsewhere ${flag}`;
      const { env, place } = await lostCreation(flag, name);
      // Younger than the record, and never used.
      await runCli(['api-keys', 'create', '--name', name], { env: service.environment() });
      const production = { ...env, ORGCTL_BASE_URL: service.server.url };
      const { stderr } = await createOver(flag, { env: production, place, name });
      expect(stderr).toContain(
        `not for ${service.server.url}; it is ignored, and no key is deleted because of it`,
      );
      expect(await keysNamed(name)).toHaveLength(4);
    });

    it('of a key that was rotated meanwhile', async () => {
      const name = `rotated ${flag}`;
      const { env, place, orphan } = await lostCreation(flag, name);
      const made = await runCli([...create, '-o', 'json'], { env: service.environment() });
      const { id, secret } = JSON.parse(made.stdout);
      const { stderr } = await createOver(flag, {
        env: { ...env, ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret },
        place,
        name,
      });
      expect(stderr).toContain(`not for ${id}`);
      expect(stderr).toContain('orgctl api-keys list --all');
      expect((await keysNamed(name)).map((key) => key.id)).toContain(orphan);
    });

    it('of the first version, or made up', async () => {
      const name = `planted ${flag}`;
      await runCli(['api-keys', 'create', '--name', name], { env: service.environment() });
      const env = service.environment();
      const place = flag === '--save-profile' ? 'mine' : join(temporaryDirectory(), 'secret');
      const planted = {
        id: 'abcd',
        since: '2026-01-01T00:00:00.000Z',
        name,
        until: '2026-01-01T00:01:00.000Z',
        before: [],
      };
      if (flag === '--save-profile') await storeOf(env).beginCreation(place, planted);
      else
        writeFileSync(`${place}.pending`, `${JSON.stringify({ creation: planted, pid: 2 ** 30 })}\n`, {
          mode: 0o600,
        });
      const { stderr } = await createOver(flag, { env, place, name });
      expect(stderr).toContain('was written by an older orgctl');
      expect(await keysNamed(name)).toHaveLength(2);
    });
  });

  it('a secret that somebody put beside the file is not stored for ours', async () => {
    const place = join(temporaryDirectory(), 'secret');
    const creation = { id: 'abcd', since: '2026-01-01T00:00:00.000Z', name: 'foreign' };
    const created = { id: 'key_evil', name: 'foreign', secret: 'e'.repeat(64) };
    const { ORGCTL_BASE_URL: baseUrl = '', ORGCTL_KEY_ID: keyId = '' } = service.environment();
    const record = { creation, pid: 2 ** 30, created, version: 2, baseUrl, keyId, mac: '0'.repeat(64) };
    writeFileSync(`${place}.pending`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    const ended = await createOver('--secret-file', { env: service.environment(), place, name: 'foreign' });
    expect(ended.stderr).toContain('was not written here');
    expect(ended.stderr).toMatch(/secret\.pending was moved to \S+secret\.pending\.[0-9a-f]{8}/);
    expect(readFileSync(place, 'utf8')).not.toBe(created.secret);
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
