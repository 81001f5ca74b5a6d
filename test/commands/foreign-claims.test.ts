import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/profiles/record-seal.js';
import { digestAll } from '../../src/verbs/api-keys/orphans.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { apply, applyReviewed, type Env, entry, organization } from './support/organization.js';
import { type Passage, relayTo } from './support/relay.js';
import { pageAnswer, quotaAnswer, scriptedService } from './support/scripted-service.js';

const service = useService({ http: true, quotas: { 'api-keys': 1000 } });

const targets = ['file', 'profile'] as const;
type Target = (typeof targets)[number];

/** A file of one key, and an environment whose requests pass a relay; what the service deleted. */
async function relayed(passage: Passage, target: Target, name: string) {
  const deleted: string[] = [];
  const peer = await relayTo(service.server, {
    ...passage,
    before: (call, request) => {
      if (call.startsWith('DELETE ')) deleted.push(call.replace(/.*\//, ''));
      return passage.before?.(call, request);
    },
  });
  const env = service.environment({ ORGCTL_BASE_URL: peer.origin });
  const place = target === 'file' ? join(temporaryDirectory(), 'secret') : name.replaceAll(' ', '-');
  const file = organization({ 'api-keys': [{ name, secret_to: { [target]: place } }] });
  return { env, place, file, deleted };
}

/** Drops the first POST of a key: on its way there, or its answer. */
function dropOnce(moment: 'before' | 'after'): Passage {
  let dropped = 0;
  return { [moment]: (call: string) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined) };
}

const profilesOf = (env: Env) => join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json');

describe.each(targets)('the record of an interrupted creation: { %s }', (target) => {
  it('deletes no key that was there before and has the name by now', async () => {
    const name = `deploy ${target}`;
    const { env, file, deleted } = await relayed(dropOnce('before'), target, name);
    const { stdout } = await runCli(['api-keys', 'create', '--name', 'reserve', '-o', 'json'], {
      env: service.environment(),
    });
    const key = JSON.parse(stdout);
    expect((await apply(file, env)).ended.code).toBe(12);
    await runCli(['api-keys', 'update', key.id, '--name', name], { env });
    await apply(file, env);
    expect(deleted).toEqual([]);
    const own = service.environment({ ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: key.secret });
    expect(await runCli(['quotas'], { env: own })).toMatchObject({ code: 0 });
  });

  it('put back once the creation is finished deletes nothing', async () => {
    const name = `finished ${target}`;
    const { env, place, file, deleted } = await relayed(dropOnce('before'), target, name);
    await apply(file, env);
    const record = target === 'file' ? `${place}.pending` : profilesOf(env);
    const old = String(readFileSync(record));
    expect((await apply(file, env)).rows).toMatchObject([{ result: 'created' }]);
    const now = () => JSON.parse(readFileSync(record, 'utf8'));
    const again = () => JSON.stringify({ ...now(), creating: JSON.parse(old).creating });
    writeFileSync(record, target === 'file' ? old : again(), { mode: 0o600 });
    // The key was never used.
    expect(await apply(file, env)).toMatchObject({ ended: { code: 0 }, rows: [] });
    expect(deleted).toEqual([]);
  });

  it('of a run that is still at it is left to that run', async () => {
    const seen: unknown[] = [];
    for (const moment of ['before', 'after'] as const) {
      let posts = 0;
      const once = async (call: string) => {
        if (call !== 'POST /api-keys' || posts++ > 0) return undefined;
        const { code, stderr } = await runCli(['apply', '-', '--yes'], { env, stdin: file });
        return void seen.push([moment, code, stderr]);
      };
      const { env, file, deleted } = await relayed({ [moment]: once }, target, `live ${target} ${moment}`);
      const ended = await runCli(['apply', '-', '--yes'], { env, stdin: file, pid: process.pid });
      expect([ended.code, deleted]).toEqual([0, []]);
    }
    expect(seen).toEqual([
      ['before', 2, expect.stringContaining(`process ${process.pid}`)],
      ['after', 0, expect.stringContaining(`belongs to process ${process.pid}, which seems to be running`)],
    ]);
  });
});

it('a record in the profiles of another directory is none of these', async () => {
  const { env, file, deleted } = await relayed(dropOnce('after'), 'profile', 'copied');
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
      const { profiles } = JSON.parse(readFileSync(profilesOf(env), 'utf8'));
      expect([deletions(), existsSync(place), profiles]).toEqual([[], false, {}]);
    },
  );

  it.each(['key_test', 'key_other'])('stops a rotation: %s', async (id) => {
    const { env, deletions } = await odd([other], { id, secret });
    const { ORGCTL_BASE_URL: baseUrl, ORGCTL_KEY_ID: keyId, ORGCTL_SECRET: own, ...rest } = env;
    const place = ['--base-url', String(baseUrl), '--key-id', String(keyId), '--secret-env', 'S'];
    await runCli(['profile', 'add', 'prod', ...place, '--no-verify'], { env: { ...rest, S: own } });
    const path = profilesOf(rest);
    const stored = JSON.parse(readFileSync(path, 'utf8'));
    const ended = await runCli(['api-keys', 'rotate'], { env: rest });
    expect([ended.code, deletions()]).toEqual([10, []]);
    expect(ended.stderr).toContain(`ID of an existing key: ${id}`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(stored);
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
    [{ createdAt: 1_577_836_800 }, false],
    [{ config: { ...config, sslmode: 'disable' } }, false],
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
