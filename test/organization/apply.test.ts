import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { seal } from '../../src/profiles/record-seal.js';
import { startServer } from '../../src/server/index.js';
import { fileOf } from '../commands/support/connection-entries.js';
import {
  apply,
  applyReviewed,
  type Env,
  entry,
  listed,
  organization,
  planOf,
  rowsOf,
  teams,
} from '../commands/support/organization.js';
import { relayTo } from '../commands/support/relay.js';
import { quotaAnswer, type ScriptedService, scriptedService } from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';

const service = useService({ quotas: { connections: 400, teams: 400 } });
beforeEach(() => service.server.control.reset());

const environment = (more: Env = {}) =>
  service.environment({ APP_DB_PASSWORD: 'hunter2', PATH: '/usr/bin:/bin', ...more });

const names = (rows: readonly Record<string, unknown>[]) => rows.map(({ name }) => name);

describe('--prune', () => {
  const some = (count: number) => organization({ teams: teams(count) });

  it('is done for what somebody else deletes meanwhile', async () => {
    const http = await startServer({ http: true });
    const direct = environment({ ...serviceEnvironment(http), ORGCTL_CA_FILE: undefined });
    const relay = await relayTo(http, {
      before: async (call) => {
        const [verb, path = ''] = call.split(' ');
        if (verb === 'DELETE') await runCli(['request', 'DELETE', path], { env: direct });
        return undefined;
      },
    });
    await apply(some(4), direct);
    const { ended, rows } = await apply(some(3), { ...direct, ORGCTL_BASE_URL: relay.origin }, '--prune');
    await http.close();
    expect(ended.code).toBe(0);
    expect(rows).toMatchObject([{ name: 'team-3', result: 'deleted' }]);
  });

  it('is the only way to delete, and of kinds that the file names alone', async () => {
    const env = environment();
    await apply(organization({ teams: teams(4), connections: [entry('app')] }), env);
    expect((await apply(some(3), env)).rows).toEqual([]);
    const { rows } = await apply(some(3), env, '--prune');
    expect(rows).toMatchObject([{ kind: 'teams', name: 'team-3', result: 'deleted' }]);
    expect(await listed('connections', env)).toHaveLength(1);
  });

  it.each([
    [4, 2, 'more than 30 %'],
    [40, 29, 'more than 10'],
  ])('of %i that leaves %i is not done by --yes alone: %s', async (before, after) => {
    const env = environment();
    await apply(some(before), env);
    const { ended } = await apply(some(after), env, '--prune');
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--prune=all') });
    expect(await listed('teams', env)).toHaveLength(before);
    const asked = await runCli(['apply', fileOf(some(after), 'org.yaml'), '--yes', '--prune'], {
      env,
      isTTY: true,
      stdin: 'n\r',
    });
    expect(asked.code).toBe(130);
    expect(asked.stderr).toContain(`Delete ${before - after} of ${before} teams? [y/N]`);
    expect(await listed('teams', env)).toHaveLength(before);
    expect((await apply(some(after), env, '--prune=all')).ended.code).toBe(0);
    expect(await listed('teams', env)).toHaveLength(after);
  });

  it('never deletes the key that signs', async () => {
    const env = environment();
    await runCli(['api-keys', 'create', '--name', 'old'], { env });
    const { rows, ended } = await apply(organization({ 'api-keys': [] }), env, '--prune=all');
    expect(ended.code).toBe(0);
    expect(rows).toMatchObject([{ name: 'old', result: 'deleted' }]);
    expect(await listed('api-keys', env)).toMatchObject([{ id: service.server.keyId }]);
    const shown = await runCli(['diff', '-', '--prune'], { env, stdin: organization({ 'api-keys': [] }) });
    expect(shown.stdout).toContain('the key you are using: not changed');
  });

  it('deletes no key where the service does not show which one signs', async () => {
    const none = organization({ 'api-keys': [] });
    const withKeys = (...ids: readonly string[]) =>
      scriptedService({
        'GET /api-keys': () =>
          httpAnswer(
            200,
            ids.map((id) => ({ id, name: id, enabled: true })),
          ),
        'GET /quotas': () => quotaAnswer(10),
        'DELETE /api-keys/key_other': () => 'HTTP/1.1 204 No Content\r\n\r\n',
      });
    const deletions = ({ peer }: ScriptedService) =>
      peer.requests.filter(({ method }) => method === 'DELETE').length;
    const unknown = await withKeys('key_other');
    const refused = (await apply(none, unknown.env, '--prune=all')).ended;
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('no key is pruned'),
    });
    expect(deletions(unknown)).toBe(0);
    const known = await withKeys('key_other', 'key_test');
    expect((await apply(none, known.env, '--prune=all')).ended.code).toBe(0);
    expect(deletions(known)).toBe(1);
  });

  it('creates first where the quota has room, and makes room first where it has not', async () => {
    const env = environment();
    await service.server.control.quotas.set({ teams: 3 });
    await apply(some(2), env);
    const other = (name: string) => organization({ teams: [{ name }, { name: 'team-1' }] });
    expect((await apply(other('new'), env, '--prune=all')).rows.map(({ result }) => result)).toEqual([
      'created',
      'deleted',
    ]);
    await service.server.control.quotas.set({ teams: 2 });
    expect((await apply(other('newer'), env, '--prune=all')).rows.map(({ result }) => result)).toEqual([
      'deleted',
      'created',
    ]);
    const { ended } = await apply(organization({ teams: teams(3) }), env, '--prune=all');
    expect(ended.code).toBe(7);
  });

  it('reads every page of a kind before it says that there is nothing to do', async () => {
    const env = environment();
    await apply(some(101), env);
    expect((await apply(some(101), env)).rows).toEqual([]);
    const { rows } = await apply(some(100), env, '--prune');
    expect(rows).toMatchObject([{ name: 'team-100', result: 'deleted' }]);
  });

  it('leaves what would go when something before it failed', async () => {
    const env = environment();
    await apply(some(1), env);
    service.server.control.faults.set(['POST /teams=409']);
    const { ended, rows } = await apply(organization({ teams: [{ name: 'new' }] }), env, '--prune=all');
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([
      { name: 'new', result: 'failed', code: 'rejected' },
      { name: 'team-0', result: 'not tried' },
    ]);
  });

  it('takes only kinds, and only of those that the file has', async () => {
    const env = environment();
    const prune = (value: string) =>
      runCli(['diff', '-', `--prune=${value}`], { env, stdin: organization({ teams: [] }) });
    expect(await prune('some')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"some" is not a kind\n.*--prune=all/),
    });
    expect(await prune('connections')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the file has no connections'),
    });
  });

  it('deletes only of the kinds that it names', async () => {
    const env = environment();
    await apply(
      organization({ teams: teams(2), connections: [{ name: 'cache', type: 'redis', config: {} }] }),
      env,
    );
    const none = organization({ teams: [], connections: [] });
    const plan = join(temporaryDirectory(), 'plan.json');
    const options = { env, stdin: none };
    const diff = await runCli(['diff', '-', '--prune=teams', '--out', plan, '-o', 'json'], options);
    expect(JSON.parse(diff.stdout)).toMatchObject({
      changes: [{ kind: 'teams' }, { kind: 'teams' }],
      notInFile: { connections: 1, teams: 0, 'api-keys': 'all' },
    });
    const asked = await apply(none, env, '--prune=teams');
    expect(asked.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--prune=teams,all') });
    expect((await runCli(['apply', '-', '--plan', plan, '--prune', '--quiet'], options)).code).toBe(2);
    const { rows } = await apply(none, env, '--prune=teams,all');
    expect(rows).toMatchObject([
      { kind: 'teams', result: 'deleted' },
      { kind: 'teams', result: 'deleted' },
    ]);
  });

  it.each([
    [['--prune', 'FILE']],
    [['--prune', 'FILE', '--color', 'never']],
    [['--color', 'never', '--prune', 'FILE']],
    [['FILE', '--prune']],
    [['--prune', 'all', 'FILE']],
    [['FILE', '--prune', 'all']],
  ])('does not take the file for its value: %j', async (words) => {
    const env = environment();
    await apply(some(1), env);
    const path = fileOf(some(0), 'org.yaml');
    const ended = await runCli(['diff', ...words.map((word) => (word === 'FILE' ? path : word))], { env });
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^1 to delete; 0 unchanged/) });
  });
});

describe('API keys', () => {
  const keys = (...entries: unknown[]) => organization({ 'api-keys': entries });

  it('are created once, their secrets put where the file says, and shown nowhere', async () => {
    const directory = temporaryDirectory();
    const env = environment();
    const file = keys(
      { name: 'a', secret_to: { file: join(directory, 'a') } },
      { name: 'b', secret_to: { profile: 'b' } },
      { name: 'c', secret_to: { command: `cat > '${join(directory, 'c')}'` }, enabled: false },
    );
    const { ended, rows } = await apply(file, env);
    expect(ended.code).toBe(0);
    expect(rows.map(({ result }) => result)).toEqual(['created', 'created', 'created']);
    const secrets = ['a', 'c'].map((name) => readFileSync(join(directory, name), 'utf8'));
    for (const secret of secrets) {
      expect(secret).toHaveLength(64);
      expect(ended.stdout + ended.stderr).not.toContain(secret);
    }
    expect(rows[0]).toMatchObject({ apiKey: { name: 'a' } });
    expect(statSync(join(directory, 'a')).mode & 0o777).toBe(0o600);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => rows.find((row) => row['name'] === name)?.['id']);
    expect(
      await runCli(['quotas'], { env: { ...env, ORGCTL_KEY_ID: String(a), ORGCTL_SECRET: secrets[0] } }),
    ).toMatchObject({ code: 0 });
    expect(await runCli(['quotas', '-p', 'b'], { env })).toMatchObject({ code: 0 });
    // They are made side by side, so that any of them may be the first.
    const status = new Map((await listed('api-keys', env)).map(({ id, enabled }) => [id, enabled]));
    expect([a, b, c].map((id) => status.get(id))).toEqual([true, true, false]);
    expect(status.size).toBe(4);
    expect((await apply(file, env)).rows).toEqual([]);
    const again = await apply(keys({ name: 'd', secret_to: { file: join(directory, 'a') } }), env);
    expect(again.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('secret_to: file /') });
    expect(again.ended.stderr).not.toContain('--secret-file');
  });

  it('have their secrets in files beside the one that names them', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'organization.yaml');
    writeFileSync(path, keys({ name: 'ci', secret_to: { file: 'ci.secret' } }));
    expect((await runCli(['apply', path, '--yes'], { env: environment() })).code).toBe(0);
    expect(readFileSync(join(directory, 'ci.secret'), 'utf8')).toHaveLength(64);
  });

  it('are disabled, and where one has to be enabled is said', async () => {
    const env = environment();
    await runCli(['api-keys', 'create', '--name', 'ci'], { env });
    expect((await apply(keys({ name: 'ci', enabled: false }), env)).rows).toMatchObject([
      { result: 'changed' },
    ]);
    const enabled = keys({ name: 'ci', enabled: true });
    const shown = await runCli(['diff', '-', '--exit-code'], { env, stdin: enabled });
    expect(shown.code).toBe(15);
    expect(shown.stdout).toContain(
      'only the management console can enable it; on a server on this machine: orgctl local keys enable',
    );
    const { ended, rows } = await apply(enabled, env);
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([{ name: 'ci', result: 'not tried' }]);
  });

  it('whose secret cannot be put away is deleted again, and nothing is left of it', async () => {
    const env = environment();
    const { ended, rows } = await apply(
      keys({ name: 'ci', secret_to: { command: 'cat >/dev/null; exit 3' } }),
      env,
    );
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([
      { name: 'ci', result: 'failed', error: expect.stringMatching(/exited with code 3.*deleted again/) },
    ]);
    expect(await listed('api-keys', env)).toHaveLength(1);
  });

  it('whose file is taken meanwhile is deleted again, and so is its record', async () => {
    const http = await startServer({ http: true });
    const place = join(temporaryDirectory(), 'ci');
    const relay = await relayTo(http, {
      after: (call) => {
        if (call === 'POST /api-keys') writeFileSync(place, 'of another');
        return undefined;
      },
    });
    try {
      const env = environment({
        ...serviceEnvironment(http),
        ORGCTL_BASE_URL: relay.origin,
        ORGCTL_CA_FILE: undefined,
      });
      const { rows } = await apply(keys({ name: 'ci', secret_to: { file: place } }), env);
      expect(rows).toMatchObject([{ result: 'failed', error: expect.stringContaining('deleted again') }]);
      expect(readFileSync(place, 'utf8')).toBe('of another');
      expect(existsSync(`${place}.pending`)).toBe(false);
      expect(await listed('api-keys', env)).toHaveLength(1);
    } finally {
      await http.close();
    }
  });
});

describe('an API key whose creation was interrupted', () => {
  const keys = (...entries: unknown[]) => organization({ 'api-keys': entries });

  /** A service, and an apply whose first answer to the POST of a key is lost; `env` is of an address without losses. */
  async function interrupted(target: 'file' | 'profile') {
    const http = await startServer({ http: true });
    let isDropping = true;
    const relay = await relayTo(http, {
      after: (call) => (isDropping && call === 'POST /api-keys' ? 'drop' : undefined),
    });
    const place = target === 'file' ? join(temporaryDirectory(), 'ci') : 'ci';
    const file = keys({ name: 'ci', secret_to: { [target]: place } });
    const env = environment({
      ...serviceEnvironment(http),
      ORGCTL_BASE_URL: relay.origin,
      ORGCTL_CA_FILE: undefined,
    });
    const cut = await apply(file, env);
    expect({ code: cut.ended.code, rows: cut.rows }).toMatchObject({
      code: 12,
      rows: [{ result: 'outcome unknown' }],
    });
    isDropping = false;
    const [, orphan] = await listed('api-keys', env);
    const elsewhere = { ...env, ORGCTL_BASE_URL: http.url };
    return { http, relay, place, file, env, elsewhere, orphan: String(orphan?.['id']) };
  }

  it.each(['file', 'profile'] as const)(
    'is deleted as the plan says, and made anew: { %s }',
    async (target) => {
      const { http, place, file, env, orphan } = await interrupted(target);
      try {
        const { plan } = await planOf(file, env);
        expect(plan.changes).toMatchObject([
          { action: 'delete', name: 'ci', id: orphan, goingOn: true },
          { action: 'create', name: 'ci', goingOn: true },
        ]);
        const { stdout, stderr } = await runCli(['diff', '-'], { env, stdin: file });
        expect(stdout).toContain(
          `- ci (${orphan}) was created by an interrupted run, and its secret was lost`,
        );
        expect(stderr).toMatch(/^1 to create, 1 to delete; 0 unchanged;/);
        const alone = await apply(file, env);
        expect(alone.ended).toMatchObject({
          code: 2,
          stderr: expect.stringContaining(
            'orgctl diff - --out plan.json, then orgctl apply - --plan plan.json',
          ),
        });
        expect((await listed('api-keys', env)).map(({ id }) => id)).toContain(orphan);
        const { ended, rows } = await applyReviewed(file, env);
        expect(rows).toMatchObject([
          { name: 'ci', id: orphan, result: 'deleted' },
          { name: 'ci', result: 'created' },
        ]);
        // Nothing else showed the plan.
        expect(ended.stderr).toContain(`apply will delete ${orphan}:`);
        const [, only, ...more] = await listed('api-keys', env);
        expect(more).toEqual([]);
        const own =
          target === 'profile'
            ? { ...env, ORGCTL_KEY_ID: undefined, ORGCTL_SECRET: undefined, ORGCTL_PROFILE: place }
            : { ...env, ORGCTL_KEY_ID: String(only?.['id']), ORGCTL_SECRET: readFileSync(place, 'utf8') };
        expect(await runCli(['quotas'], { env: own })).toMatchObject({ code: 0 });
        expect(existsSync(`${place}.pending`)).toBe(false);
        expect((await apply(file, env)).rows).toEqual([]);
      } finally {
        await http.close();
      }
    },
  );

  it('is not deleted when the plan is not confirmed, and is when it is, by a stored plan too', async () => {
    const { http, file, env, orphan } = await interrupted('file');
    try {
      const ids = async () => (await listed('api-keys', env)).map(({ id }) => id);
      const path = fileOf(file, 'org.yaml');
      const asked = await runCli(['apply', path], { env, isTTY: true, stdin: 'n\r' });
      expect(asked.code).toBe(130);
      expect(asked.stderr).toContain(`(${orphan}) was created by an interrupted run`);
      expect(asked.stderr).toContain('1 to create, 1 to delete; 0 unchanged. Apply these changes?');
      expect(await ids()).toContain(orphan);
      expect(await runCli(['apply', path], { env })).toMatchObject({ code: 2 });
      expect(await ids()).toContain(orphan);
      const out = join(temporaryDirectory(), 'plan.json');
      await runCli(['diff', path, '--out', out], { env });
      expect((await runCli(['apply', path, '--plan', out], { env })).code).toBe(0);
      expect(await ids()).not.toContain(orphan);
    } finally {
      await http.close();
    }
  });

  it('stays where its deletion fails, and no other is created beside it', async () => {
    const { http, file, env, orphan } = await interrupted('file');
    try {
      http.control.faults.set(['DELETE /api-keys/*=500']);
      const { ended, rows } = await applyReviewed(file, env);
      expect(ended.code).toBe(12);
      expect(rows).toMatchObject([
        { id: orphan, result: 'failed' },
        { name: 'ci', result: 'not tried', error: expect.stringContaining('was not deleted') },
      ]);
      http.control.faults.clear();
      expect((await applyReviewed(file, env)).rows).toMatchObject([
        { result: 'deleted' },
        { result: 'created' },
      ]);
    } finally {
      await http.close();
    }
  });

  it('at another address touches nothing here', async () => {
    const { http, place, file, elsewhere, orphan } = await interrupted('file');
    try {
      // The key of that name is somebody's here, although it was never used.
      const ended = await runCli(['apply', '-', '--yes'], { env: elsewhere, stdin: file });
      expect(ended).toMatchObject({ code: 0, stdout: '' });
      expect(ended.stderr).toContain(`${place}.pending is for`);
      expect((await listed('api-keys', elsewhere)).map(({ id }) => id)).toContain(orphan);
      const other = keys({ name: 'other', secret_to: { file: place } });
      http.control.journal.clear();
      expect((await apply(other, elsewhere)).rows).toMatchObject([{ name: 'other', result: 'created' }]);
      expect(http.control.journal.count({ method: 'DELETE' })).toBe(0);
    } finally {
      await http.close();
    }
  });

  it('is not guessed among several, nor taken from an entry that names it by its ID', async () => {
    const { http, place, env, file, orphan } = await interrupted('file');
    try {
      const pinned = keys({ name: 'ci', id: orphan, secret_to: { file: place } });
      expect((await planOf(pinned, env)).plan.changes).toEqual([]);
      await runCli(['api-keys', 'create', '--name', 'ci'], { env });
      const named = keys({ name: 'renamed', secret_to: { file: place } });
      for (const each of [file, named]) {
        const { ended } = await apply(each, env);
        expect(ended.code).toBe(2);
        expect(ended.stderr).toContain('an interrupted run may have created one of');
        expect(ended.stderr).toContain(orphan);
      }
    } finally {
      await http.close();
    }
  });

  it('is left alone where a profile has it: its secret is in use', async () => {
    const { http, env, file, orphan } = await interrupted('file');
    try {
      const { ORGCTL_BASE_URL: baseUrl = '', ORGCTL_CONFIG_DIR: directory = '' } = env;
      const content = { version: 1, profiles: { ci: { baseUrl, keyId: orphan, secret: 's'.repeat(64) } } };
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(join(directory, 'profiles.json'), JSON.stringify(content), { mode: 0o600 });
      const { plan } = await planOf(file, env);
      expect(plan?.changes ?? []).not.toContainEqual(expect.objectContaining({ action: 'delete' }));
    } finally {
      await http.close();
    }
  });

  it('whose secret is in the record gets it stored, and is not deleted', async () => {
    const env = environment();
    const place = join(temporaryDirectory(), 'ci');
    const made = await runCli(['api-keys', 'create', '--name', 'ci', '-o', 'json'], { env });
    const created = JSON.parse(made.stdout);
    const { ORGCTL_BASE_URL: baseUrl = '', ORGCTL_KEY_ID: keyId = '', ORGCTL_SECRET: secret = '' } = env;
    const creation = {
      id: 'abcd',
      since: '2026-01-01T00:00:00.000Z',
      name: 'ci',
      until: '2026-01-01T00:01:00.000Z',
      before: [],
    };
    const record = seal({ creation, pid: 2 ** 30, created }, place, { baseUrl, keyId, secret });
    writeFileSync(`${place}.pending`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    const file = keys({ name: 'ci', secret_to: { file: place } });
    const shown = await runCli(['diff', '-'], { env, stdin: file });
    expect(shown.stdout).toContain(
      `+ ci (${created.id}) was created by an interrupted run: only its secret is stored now`,
    );
    expect((await apply(file, env)).rows).toMatchObject([{ result: 'created', id: created.id }]);
    expect(readFileSync(place, 'utf8')).toBe(created.secret);
    expect(await listed('api-keys', env)).toHaveLength(2);
    // The same record, of a key that is gone.
    await runCli(['api-keys', 'delete', created.id, '--yes'], { env });
    rmSync(place);
    writeFileSync(`${place}.pending`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    const [row] = (await apply(file, env)).rows;
    expect(row).toMatchObject({ result: 'created', id: expect.not.stringMatching(created.id) });
    expect(readFileSync(place, 'utf8')).not.toBe(created.secret);
  });
});

describe('a plan', () => {
  const file = organization({ teams: teams(2), connections: [entry('app')] });

  async function planned(path: string, env: Env, ...more: string[]): Promise<string> {
    const out = join(temporaryDirectory(), 'plan.json');
    const ended = await runCli(['diff', path, '--out', out, '-q', ...more], { env });
    expect(ended).toMatchObject({ code: 0 });
    return out;
  }

  const applied = (path: string, plan: string, env: Env, ...more: string[]) =>
    runCli(['apply', path, '--plan', plan, '-o', 'json', ...more], { env });

  it('is done as it was made, has no secret, and is out of date afterwards', async () => {
    const env = environment();
    const path = fileOf(file, 'org.yaml');
    const plan = await planned(path, env);
    expect(readFileSync(plan, 'utf8')).not.toContain('hunter2');
    const ended = await applied(path, plan, env);
    expect(ended.code).toBe(0);
    expect(rowsOf(ended)).toHaveLength(3);
    const again = await applied(path, plan, env);
    expect(again.code).toBe(14);
    expect(errorOf(again)).toMatchObject({
      code: 'rejected',
      message: expect.stringContaining('out of date'),
    });
  });

  it('is refused when the file or what it touches has changed', async () => {
    const env = environment();
    await apply(file, env);
    const changed = fileOf(organization({ connections: [entry('app', { host: 'db2' })] }), 'org.yaml');
    const plan = await planned(changed, env);
    writeFileSync(changed, `${readFileSync(changed, 'utf8')}\n# edited\n`);
    expect(errorOf(await applied(changed, plan, env))).toMatchObject({
      exitCode: 14,
      message: expect.stringContaining('the file has changed'),
    });
    const next = await planned(changed, env);
    const [app] = await listed('connections', env);
    await runCli(['connections', 'update', String(app?.['id']), '--user', 'other'], { env });
    service.server.control.journal.clear();
    expect(errorOf(await applied(changed, next, env))).toMatchObject({
      exitCode: 14,
      message: expect.stringContaining('connections app changed'),
    });
    expect(service.server.control.journal.count({ method: 'PATCH' })).toBe(0);
  });

  it('is refused when there is more to do than was reviewed', async () => {
    const env = environment();
    await apply(file, env);
    const changed = fileOf(
      organization({ teams: teams(2), connections: [entry('app', { host: 'db2' })] }),
      'org.yaml',
    );
    const plan = await planned(changed, env);
    const [team] = await listed('teams', env);
    await runCli(['teams', 'delete', String(team?.['id']), '--yes'], { env });
    service.server.control.journal.clear();
    expect(errorOf(await applied(changed, plan, env))).toMatchObject({
      exitCode: 14,
      message: expect.stringContaining('teams team-0 changed'),
    });
    expect(service.server.control.journal.count({ method: 'POST' })).toBe(0);
    expect(service.server.control.journal.count({ method: 'PATCH' })).toBe(0);
  });

  it('is refused when the organization changes while the question is open', async () => {
    const env = environment();
    const { system, ended } = startCli(['apply', fileOf(file, 'org.yaml')], { env, isTTY: true });
    await expect.poll(() => system.stderrText()).toContain('Apply these changes?');
    await runCli(['teams', 'create', '--name', 'team-0'], { env });
    service.server.control.journal.clear();
    system.type('y\r');
    expect((await ended).code).toBe(14);
    expect(service.server.control.journal.count({ method: 'POST' })).toBe(0);
  });

  it('sends secrets when it was made with --set-secrets, and only then', async () => {
    const env = environment();
    await apply(file, env);
    const path = fileOf(file, 'org.yaml');
    const plan = await planned(path, env, '--set-secrets');
    expect(rowsOf(await applied(path, plan, env))).toMatchObject([{ name: 'app', result: 'changed' }]);
    const without = await planned(path, env);
    expect(await applied(path, without, env, '--set-secrets')).toMatchObject({ code: 2 });
  });

  it('takes what it was made with, and refuses other flags', async () => {
    const env = environment();
    await apply(organization({ teams: teams(3) }), env);
    const path = fileOf(organization({ teams: teams(1) }), 'org.yaml');
    const some = await planned(path, env, '--prune');
    expect(await applied(path, some, env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--prune=all'),
    });
    for (const other of ['--prune=teams', '--prune=teams,all']) {
      expect(await applied(path, some, env, other)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--prune differs from the plan's, which was made with --prune"),
      });
    }
    const deleted = ['deleted', 'deleted'];
    expect(rowsOf(await applied(path, some, env, '--prune=all')).map(({ result }) => result)).toEqual(
      deleted,
    );
    await apply(organization({ teams: teams(3) }), env);
    const all = await planned(path, env, '--prune=all');
    expect(rowsOf(await applied(path, all, env)).map(({ result }) => result)).toEqual(deleted);
  });

  it('of another address or organization, or none, is refused before anything is sent', async () => {
    const env = environment();
    const path = fileOf(file, 'org.yaml');
    const plan = await planned(path, env);
    const other = await startServer();
    try {
      const elsewhere = { ...env, ...serviceEnvironment(other) };
      expect(errorOf(await applied(path, plan, elsewhere))).toMatchObject({
        exitCode: 3,
        message: expect.stringContaining(other.url),
      });
      const forged = JSON.stringify({ ...JSON.parse(readFileSync(plan, 'utf8')), base_url: other.url });
      expect(errorOf(await applied(path, fileOf(forged, 'plan.json'), elsewhere))).toMatchObject({
        exitCode: 3,
        message: expect.stringContaining('another organization'),
      });
      expect(other.control.journal.count({ method: 'POST' })).toBe(0);
    } finally {
      await other.close();
    }
    for (const [text, problem] of [
      ['', 'plan.json is not a plan: '],
      ['{}', 'plan.json is not a plan: orgctl diff --out did not write it'],
      ['[]', 'plan.json is not a plan: orgctl diff --out did not write it'],
      ['{"plan":2}', 'plan.json is not a plan: it has another version than 1'],
      ['{"plan":1,"plan":1}', 'plan.json:1:11: duplicate key'],
      [`{"plan":1,"changes":[${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}]}`, 'nested deeper than 128 levels'],
      [
        JSON.stringify({ plan: 1, changes: Array.from({ length: 300_000 }, () => 0) }),
        'too many problems to list',
      ],
    ] as const)
      expect(errorOf(await applied(path, fileOf(text, 'plan.json'), env))).toMatchObject({
        code: 'usage',
        message: expect.stringContaining(problem),
      });
    expect(await runCli(['diff', path, '--out', '/dev/null'], { env })).toMatchObject({ code: 2 });
  });

  it('that is refused says how to make another: the same files, names and flags', async () => {
    const env = environment();
    await apply(organization({ teams: teams(3) }), env);
    const path = fileOf(organization({ teams: teams(1) }), "org of 'mine'.yaml");
    const plan = await planned(path, env, '--prune=all');
    writeFileSync(path, organization({ teams: teams(2) }));
    const wanted = ['orgctl', 'diff', path, '--out', plan, '--prune=all'];
    const next = async (file: string, ...more: string[]) =>
      errorOf(await applied(path, file, env, ...more))['next'];
    expect(await next(plan)).toEqual(wanted);
    expect(await next(plan, '--set-secrets')).toEqual([...wanted, '--set-secrets']);
    const none = fileOf('{}', 'plan.json');
    expect(await next(none)).toEqual(['orgctl', 'diff', path, '--out', none]);
    const changes = ['diff', path, '--exit-code', '-o', 'json'];
    expect(errorOf(await runCli([...changes, '--prune'], { env }))['next']).toEqual([
      ...['orgctl', 'apply', path, '--prune'],
    ]);
    expect(errorOf(await runCli([...changes, '--prune', '--out', plan], { env }))['next']).toEqual([
      ...['orgctl', 'apply', path, '--plan', plan],
    ]);
    expect(await runCli(wanted.slice(1), { env })).toMatchObject({ code: 0 });
    expect(rowsOf(await applied(path, plan, env))).toMatchObject([{ result: 'deleted' }]);
  });
});

describe('what goes wrong on the way', () => {
  it('a creation whose answer is lost is found by its name, and not sent again', async () => {
    const env = environment();
    service.server.control.faults.set(['POST /teams=drop-answerx3']);
    const { ended, rows } = await apply(organization({ teams: teams(5) }), env);
    expect(ended.code).toBe(0);
    expect(rows.map(({ result }) => result)).toEqual(Array(5).fill('created'));
    expect(service.server.control.journal.count({ method: 'POST' })).toBe(5);
    expect(await listed('teams', env)).toHaveLength(5);
  });

  it('a creation that never arrived is sent again, once it is known not to be there', async () => {
    const env = environment();
    service.server.control.faults.set(['POST /teams=dropx2']);
    const { ended } = await apply(organization({ teams: teams(3) }), env);
    expect(ended.code).toBe(0);
    expect(names(await listed('teams', env)).sort()).toEqual(names(teams(3)));
  });

  describe('where somebody else makes the same at the same time', () => {
    /** An apply whose first POST is preceded by one of somebody else, and is then lost on the way there or back. */
    async function contested(
      kind: 'teams' | 'connections',
      theirs: readonly string[],
      file: string,
      { isCarriedOut }: { isCarriedOut: boolean },
    ) {
      const http = await startServer({ http: true });
      const direct = environment({ ...serviceEnvironment(http), ORGCTL_CA_FILE: undefined });
      const state = { posts: 0, lost: 0 };
      const relay = await relayTo(http, {
        before: async (call) => {
          if (call !== `POST /${kind}` || state.posts++ > 0) return undefined;
          await runCli([kind, 'create', ...theirs], { env: direct });
          return isCarriedOut ? undefined : 'drop';
        },
        after: (call) => (call === `POST /${kind}` && state.lost++ === 0 ? 'drop' : undefined),
      });
      const { ended, rows } = await apply(file, { ...direct, ORGCTL_BASE_URL: relay.origin });
      const all = await listed(kind, direct);
      await http.close();
      return { ended, rows, all, posts: state.posts };
    }
    const theirs = [
      ...['--name', 'app', '--host', 'theirs', '--database', 'app', '--user', 'app'],
      ...['--password-env', 'APP_DB_PASSWORD'],
    ];

    it('what is not what was sent is not taken for it', async () => {
      const file = organization({ connections: [entry('app')] });
      const { ended, rows, all, posts } = await contested('connections', theirs, file, {
        isCarriedOut: false,
      });
      expect(ended.code).toBe(12);
      expect(all).toHaveLength(1);
      expect(rows).toMatchObject([
        { name: 'app', result: 'outcome unknown', error: expect.stringContaining(String(all[0]?.['id'])) },
      ]);
      expect(posts).toBe(1);
    });

    it('what was sent is, and nobody’s is deleted as a double', async () => {
      const file = organization({ connections: [entry('app')] });
      const { ended, rows, all } = await contested('connections', theirs, file, { isCarriedOut: true });
      const ours = all.find(({ config }) => Object(config).host === 'db');
      expect(all).toHaveLength(2);
      expect(rows).toMatchObject([{ name: 'app', result: 'created', id: ours?.['id'] }]);
      expect(ended.stderr).toContain('2 connections are now named app');
    });

    it('a key of theirs is no reason to delete ours, whose secret may be in use', async () => {
      const http = await startServer({ http: true });
      const direct = environment({ ...serviceEnvironment(http), ORGCTL_CA_FILE: undefined });
      const relay = await relayTo(http, {
        before: async (call) => {
          if (call === 'POST /api-keys') await http.control.keys.issue({ name: 'ci' });
          return undefined;
        },
      });
      const secret = join(temporaryDirectory(), 'secret');
      const file = organization({ 'api-keys': [{ name: 'ci', secret_to: { file: secret } }] });
      const { ended, rows } = await apply(file, { ...direct, ORGCTL_BASE_URL: relay.origin });
      const all = await listed('api-keys', direct);
      await http.close();
      expect(rows).toMatchObject([{ name: 'ci', result: 'created' }]);
      expect(all.map(({ id }) => id)).toContain(rows[0]?.['id']);
      expect(ended.stderr).toContain('2 API keys are now named ci');
    });

    it('two alike are told from each other by nobody', async () => {
      const file = organization({ teams: [{ name: 'same' }] });
      const { rows, all } = await contested('teams', ['--name', 'same'], file, { isCarriedOut: true });
      expect(all).toHaveLength(2);
      expect(rows).toMatchObject([{ result: 'outcome unknown' }]);
    });

    it('what was there before the attempt is not taken for it', async () => {
      const http = await startServer({ http: true });
      const direct = environment({ ...serviceEnvironment(http), ORGCTL_CA_FILE: undefined });
      const state = { lists: 0, posts: 0 };
      const relay = await relayTo(http, {
        before: async (call) => {
          // The plan has read the list once by then.
          if (call === 'GET /teams' && ++state.lists === 2) {
            await runCli(['teams', 'create', '--name', 'same'], { env: direct });
          }
          return call === 'POST /teams' && state.posts++ === 0 ? 'drop' : undefined;
        },
      });
      const file = organization({ teams: [{ name: 'same' }] });
      const { rows } = await apply(file, { ...direct, ORGCTL_BASE_URL: relay.origin });
      const all = await listed('teams', direct);
      await http.close();
      // Made once more, and taken back as the younger one.
      expect(state.posts).toBe(2);
      expect(rows).toMatchObject([{ result: 'created' }, { result: 'undone' }]);
      expect(all).toHaveLength(1);
      expect(all[0]?.['id']).not.toBe(rows[0]?.['id']);
    });
  });

  it.each([2, 3])('a creation is not sent again where list %i, which would tell, fails', async (failing) => {
    const http = await startServer({ http: true });
    const state = { lists: 0, posts: 0 };
    const relay = await relayTo(http, {
      before: (call) => {
        if (call === 'GET /teams' && ++state.lists >= failing) return httpAnswer(500, { message: 'no' });
        return call === 'POST /teams' && ++state.posts > 0 ? 'drop' : undefined;
      },
    });
    const env = environment({ ...serviceEnvironment(http), ORGCTL_CA_FILE: undefined });
    const file = organization({ teams: teams(1) });
    const { rows } = await apply(file, { ...env, ORGCTL_BASE_URL: relay.origin }, '--retries', '0');
    await http.close();
    expect(rows).toMatchObject([{ result: 'outcome unknown' }]);
    expect(state.posts).toBe(1);
  });

  it('leaves a row for what failed, and the same command continues', async () => {
    const env = environment();
    service.server.control.faults.set(['POST /teams=500x2']);
    const file = organization({ teams: teams(6) });
    const { ended, rows } = await apply(file, env);
    expect(ended.code).toBe(12);
    expect(errorOf(ended)['hint']).toContain('run the same command to continue');
    expect(rows.filter(({ result }) => result === 'failed')).toHaveLength(2);
    service.server.control.faults.clear();
    expect((await apply(file, env)).rows).toHaveLength(2);
    expect(await listed('teams', env)).toHaveLength(6);
  });

  it('Ctrl-C leaves a row for everything: done, not known, not tried', async () => {
    const http = await startServer({ http: true, quotas: { teams: 100 } });
    try {
      let posts = 0;
      let stop = () => false;
      const relay = await relayTo(http, {
        after: async (call) => {
          if (call === 'POST /teams' && ++posts === 12) {
            stop();
            return 'drop';
          }
          return undefined;
        },
      });
      const env = environment({
        ...serviceEnvironment(http),
        ORGCTL_BASE_URL: relay.origin,
        ORGCTL_CA_FILE: undefined,
      });
      const file = organization({ teams: teams(60) });
      const { system, ended } = startCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin: file });
      stop = () => system.raise('SIGINT');
      const end = await ended;
      expect(end.code).toBe(130);
      const rows = rowsOf(end);
      expect(rows).toHaveLength(60);
      const results = new Set(rows.map(({ result }) => result));
      expect(results).toEqual(new Set(['created', 'outcome unknown', 'not tried']));
      expect((await apply(file, env)).ended.code).toBe(0);
      expect(names(await listed('teams', env)).sort()).toEqual(names(teams(60)).sort());
    } finally {
      await http.close();
    }
  });

  it('of 20 at once each resource is made once, or its name is told', async () => {
    const env = environment();
    const file = organization({ teams: teams(12), connections: [entry('a'), entry('b')] });
    const runs = await Promise.all(Array.from({ length: 20 }, () => apply(file, env)));
    for (const { ended } of runs) {
      // Who comes while others are at it may find a name twice, and says so.
      if (ended.code !== 0)
        expect({ code: ended.code, message: errorOf(ended)['message'] }).toMatchObject({
          code: 2,
          message: expect.stringContaining('have this name'),
        });
    }
    expect(names(await listed('teams', env)).sort()).toEqual(names(teams(12)).sort());
    expect(names(await listed('connections', env)).sort()).toEqual(['a', 'b']);
    expect((await apply(file, env)).rows).toEqual([]);
  });
});
