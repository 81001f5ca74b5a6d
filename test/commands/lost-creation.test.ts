import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { seal } from '../../src/profiles/record-seal.js';
import { digestAll } from '../../src/verbs/api-keys/orphans.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { apply, applyReviewed, type Env, entry, organization } from './support/organization.js';
import { type Passage, relayTo } from './support/relay.js';
import { pageAnswer, quotaAnswer, scriptedService } from './support/scripted-service.js';

// Which records are acted on: test/profiles/record-seal.test.ts; which keys they mean: test/verbs/api-keys.
const service = useService({ quotas: { 'api-keys': 1000 } });

/** Loses the first answer to the creation of a key. */
function dropOnce(): Passage['after'] {
  let dropped = 0;
  return (call) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined);
}

async function keysNamed(name: string): Promise<{ id: string }[]> {
  const env = service.environment();
  const { stdout } = await runCli(['api-keys', 'list', '--all', '-o', 'json'], { env });
  const keys: { id: string; name: string }[] = JSON.parse(stdout);
  return keys.filter((key) => key.name === name);
}

function storeOf(env: Env) {
  return profileStore({ env, platform: process.platform, homedir: '/' });
}

/** A creation whose first answer is lost, with the key that nobody has the secret of, and what repeats the command. */
async function lostCreation(flag: string, name: string) {
  const peer = await relayTo(service.server, { after: dropOnce() });
  const env = service.environment({ ORGCTL_BASE_URL: peer.origin });
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
  const onTerminal = { isTTY: { stdin: true, stderr: true } };

  it('is asked about by the next run on a terminal, which deletes that key', async () => {
    const { env, args, before, orphan, idsNow } = await lostCreation('--secret-file', 'lost');
    const second = await runCli(args, { env, ...onTerminal, stdin: 'y\r' });
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(`Delete ${orphan} ("lost", never used)`);
    expect(await idsNow()).toEqual([before, JSON.parse(second.stdout).id].sort());
  });

  const flags = ['--save-profile', '--secret-file'];

  it.each(flags)('%s: a key stays where nobody is asked, and another is created', async (flag) => {
    const { peer, env, args, before, orphan, idsNow, place } = await lostCreation(flag, randomUUID());
    const second = await runCli(args, { env });
    expect(second.code).toBe(0);
    expect(await idsNow()).toEqual([before, orphan, JSON.parse(second.stdout).id].sort());
    expect(peer.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    expect(existsSync(`${place}.pending`)).toBe(false);
    expect(second.stderr).toContain(`orgctl api-keys delete ${orphan}`);
  });

  it.each(flags)('%s: nothing happens where the answer is no, until the key is renamed', async (flag) => {
    const { env, args, before, orphan, idsNow } = await lostCreation(flag, randomUUID());
    const asked = { env, ...onTerminal, columns: 500 };
    for (const _ of ['again', 'and again']) {
      const no = await runCli(args, { ...asked, stdin: 'n\r' });
      expect(no).toMatchObject({ code: 130, stdout: '' });
      expect(no.stderr).toContain('no key was deleted or created');
      expect(no.stderr).toContain(`rename it first: orgctl api-keys update ${orphan} --name NEW_NAME`);
      expect(await idsNow()).toEqual([before, orphan].sort());
    }
    await runCli(['api-keys', 'update', orphan, '--name', 'kept'], { env });
    const created = await runCli(args, asked);
    expect(created.code).toBe(0);
    expect(await idsNow()).toEqual([before, JSON.parse(created.stdout).id].sort());
  });
});

it('a record of a creation at another address deletes nothing', async () => {
  const { env, args } = await lostCreation('--save-profile', 'elsewhere');
  await service.server.control.journal.clear();
  const ended = await runCli(args, { env: { ...env, ORGCTL_BASE_URL: service.server.url } });
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain(
    `not for ${service.server.url}; orgctl ignores it, and deletes no key because of it`,
  );
  expect(ended.stderr).toContain('orgctl api-keys list --all');
  expect(await service.server.control.journal.count({ method: 'DELETE' })).toBe(0);
  expect(await keysNamed('elsewhere')).toHaveLength(3);
});

/** A file of a key for a profile, and an environment whose requests pass a relay; what the service deleted. */
async function relayedApply(passage: Passage, name: string) {
  const deleted: string[] = [];
  const peer = await relayTo(service.server, {
    ...passage,
    before: (call, request) => {
      if (call.startsWith('DELETE ')) deleted.push(call.replace(/.*\//, ''));
      return passage.before?.(call, request);
    },
  });
  const env = service.environment({ ORGCTL_BASE_URL: peer.origin });
  const file = organization({ 'api-keys': [{ name, secret_to: { profile: name } }] });
  return { env, file, deleted };
}

it('a record of a run that is still at it is left to that run', async () => {
  const seen: unknown[] = [];
  for (const moment of ['before', 'after'] as const) {
    let posts = 0;
    const once = async (call: string) => {
      if (call !== 'POST /api-keys' || posts++ > 0) return undefined;
      const { code, stderr } = await runCli(['apply', '-', '--yes'], { env, stdin: file });
      return void seen.push([moment, code, stderr]);
    };
    const { env, file, deleted } = await relayedApply({ [moment]: once }, `live-${moment}`);
    const ended = await runCli(['apply', '-', '--yes'], { env, stdin: file, pid: process.pid });
    expect([ended.code, deleted]).toEqual([0, []]);
  }
  expect(seen).toEqual([
    ['before', 2, expect.stringContaining(`process ${process.pid}`)],
    ['after', 0, expect.stringContaining(`belongs to process ${process.pid}, which seems to be running`)],
  ]);
});
it('a record in the profiles of another directory is none of these', async () => {
  const { env, file, deleted } = await relayedApply({ after: dropOnce() }, 'copied');
  await apply(file, env);
  const other = { ...env, ...emptyEnvironment() };
  cpSync(String(env['ORGCTL_CONFIG_DIR']), String(other['ORGCTL_CONFIG_DIR']), { recursive: true });
  const { ended } = await apply(file, other);
  expect([ended.code, deleted]).toEqual([0, []]);
  expect(ended.stderr).toContain('was not written here');
  expect((await applyReviewed(file, env)).rows).toMatchObject([{ result: 'deleted' }, { result: 'created' }]);
});

/** A service that lists these keys, and answers POST with this; nothing that it has may be deleted. */
async function odd(keys: readonly { id: string; name: string }[], answer: object) {
  const scripted = await scriptedService({
    'GET /api-keys': () => pageAnswer(keys, { total: keys.length, page: 1, pages: 1 }),
    'GET /quotas': () => quotaAnswer(10),
    'POST /api-keys': () => httpAnswer(201, answer),
  });
  const deletions = () => scripted.peer.requests.filter(({ method }) => method === 'DELETE');
  return { ...scripted, deletions };
}

const other = { id: 'key_other', name: 'other' };
const secret = 'n'.repeat(64);

describe('an answer about a key that existed before', () => {
  it.each([[{ id: 'key_other', secret }], [{ id: 'key_other' }], [{ id: 'key_test', secret }]])(
    'creates and deletes nothing: %j',
    async (answer) => {
      const { env, deletions } = await odd([other, { id: 'key_test', name: 'mine' }], answer);
      const place = join(temporaryDirectory(), 'secret');
      for (const secret_to of [{ command: 'cat >/dev/null; exit 3' }, { file: place }, { profile: 'new' }]) {
        const file = organization({ 'api-keys': [{ name: 'ci', secret_to }] });
        expect((await apply(file, { ...env, PATH: process.env['PATH'] })).rows).toMatchObject([
          { result: expect.stringMatching(/failed|unknown/) },
        ]);
      }
      const create = ['api-keys', 'create', '--name', 'ci', '--save-profile', 'new'];
      expect((await runCli(create, { env })).code).toBe(10);
      const { profiles } = JSON.parse(readFileSync(storeOf(env).path(), 'utf8'));
      expect([deletions(), existsSync(place), profiles]).toEqual([[], false, {}]);
    },
  );

  it('is printed as received if it is about the key in use, and says why', async () => {
    const { env } = await odd([other], { id: 'key_test', secret });
    const ended = await runCli(['api-keys', 'create', '--name', 'ci', '--query', 'id', '-r'], { env });
    expect(ended).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('ID of an existing key: key_test'),
    });
    expect(JSON.parse(ended.stdout)).toEqual({ id: 'key_test', secret });
  });

  it.each(['key_test', 'key_other'])('stops a rotation: %s', async (id) => {
    const { env, deletions } = await odd([other], { id, secret });
    const { ORGCTL_BASE_URL: baseUrl, ORGCTL_KEY_ID: keyId, ORGCTL_SECRET: own, ...rest } = env;
    const place = ['--base-url', String(baseUrl), '--key-id', String(keyId), '--secret-env', 'S'];
    await runCli(['profile', 'add', 'prod', ...place, '--no-verify'], { env: { ...rest, S: own } });
    const path = storeOf(rest).path();
    const stored = JSON.parse(readFileSync(path, 'utf8'));
    const ended = await runCli(['api-keys', 'rotate'], { env: rest });
    expect([ended.code, deletions()]).toEqual([10, []]);
    expect(ended.stderr).toContain(`ID of an existing key: ${id}`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(stored);
  });

  it('does not stop a rotation where only a profile for another address has that ID', async () => {
    const { env } = await odd([], { id: 'key_new', secret });
    const { ORGCTL_BASE_URL: baseUrl, ORGCTL_KEY_ID: keyId, ORGCTL_SECRET: own, ...rest } = env;
    const add = (name: string, url: string, id: string) => {
      const place = ['--base-url', url, '--key-id', id, '--secret-env', 'S', '--no-verify'];
      return runCli(['profile', 'add', name, ...place], { env: { ...rest, S: own } });
    };
    await add('prod', String(baseUrl), String(keyId));
    await add('staging', 'https://staging.example.com', 'key_new');
    const ended = await runCli(['api-keys', 'rotate', '-p', 'prod', '--keep-old', '--yes'], { env: rest });
    expect(ended.stderr).not.toContain('ID of an existing key');
    expect(JSON.parse(readFileSync(storeOf(rest).path(), 'utf8')).profiles.prod.keyId).toBe('key_new');
  });
});

it('the key that signs is never an orphan, whatever a record says', async () => {
  const { env, deletions, peer } = await odd([{ id: 'key_test', name: 'ci' }], { id: 'key_new', secret });
  const signer = { baseUrl: peer.origin, keyId: 'key_test', secret: 's'.repeat(64) };
  const place = join(temporaryDirectory(), 'secret');
  const [since, until] = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'];
  const creation = { id: 'abcd', since, until, name: 'ci', before: digestAll([]) };
  const record = seal({ creation, pid: 2 ** 30 }, place, signer);
  writeFileSync(`${place}.pending`, JSON.stringify(record), { mode: 0o600 });
  const file = organization({ 'api-keys': [{ name: 'ci', secret_to: { file: place } }] });
  expect((await apply(file, env)).ended.code).toBe(0);
  rmSync(`${place}.pending`);
  expect(deletions()).toEqual([]);
});

it('an answer to a creation with the ID of another resource has nothing taken back', async () => {
  const teams = [
    { id: 'team_1', name: 'same' },
    { id: 'team_2', name: 'theirs' },
  ];
  let posts = 0;
  const { env, peer } = await scriptedService({
    'GET /teams': () => {
      const list = posts === 0 ? teams.slice(1) : [{ ...teams[0] }, { id: 'team_2', name: 'same' }];
      return pageAnswer(list, { total: list.length, page: 1, pages: 1 });
    },
    'GET /quotas': () => quotaAnswer(10),
    'POST /teams': () => {
      posts += 1;
      return httpAnswer(201, { id: 'team_2', name: 'same' });
    },
  });
  const { rows } = await apply(organization({ teams: [{ name: 'same' }] }), env);
  expect(rows).toMatchObject([
    { result: 'failed', error: expect.stringContaining('ID of an existing team: team_2') },
  ]);
  expect(peer.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

describe('after a lost answer', () => {
  const config = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };
  it.each([
    [{ created_at: '2020-01-01T00:00:00Z' }, false],
    [{ config: { ...config, options: { a: 1 } } }, false],
    [{ config: { ...config, options: null }, region: 'eu', created_at: 'lately' }, true],
  ])('what has appeared under the name with %j is ours: %s', async (more, isOurs) => {
    let posts = 0;
    const appeared = { id: 'conn_1', name: 'app', type: 'postgresql', config, ...more };
    const { env } = await scriptedService({
      'GET /connections': () => {
        const list = posts === 0 ? [] : [appeared];
        return pageAnswer(list, { total: list.length, page: 1, pages: 1 });
      },
      'GET /quotas': () => quotaAnswer(10),
      'POST /connections': (_request, socket) => {
        posts += 1;
        socket.destroy();
        return undefined;
      },
    });
    const file = organization({ connections: [entry('app')] });
    const { rows } = await apply(file, { ...env, APP_DB_PASSWORD: 'x' });
    expect(rows).toMatchObject([{ result: isOurs ? 'created' : 'outcome unknown' }]);
    expect(posts).toBe(1);
  });
});
