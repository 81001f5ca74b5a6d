import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/profiles/record-seal.js';
import { apply, applyReviewed, listed, organization, planOf } from '../commands/support/organization.js';
import { quotaAnswer, scriptedService } from '../commands/support/scripted-service.js';
import { makeProfilesUnwritable } from '../commands/support/unwritable-profiles.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { relayedService, useOrganizationService } from './support/organization-service.js';

const { environment } = useOrganizationService();

const keys = (...entries: unknown[]) => organization({ 'api-keys': entries });

describe('API keys', () => {
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
    const asA = { ...env, ORGCTL_KEY_ID: String(a), ORGCTL_SECRET: secrets[0] };
    expect(await runCli(['quotas'], { env: asA })).toMatchObject({ code: 0 });
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

  it.each(['./a.secret', 'x/../a.secret', 'link/a.secret', 'ABSOLUTE/a.secret'])(
    'are not created where two secrets would go to one file, however it is spelt: %s',
    async (other) => {
      const env = environment();
      const directory = temporaryDirectory();
      symlinkSync(directory, join(directory, 'link'));
      const path = join(directory, 'organization.yaml');
      const file = other.replace('ABSOLUTE', directory);
      const two = [
        { name: 'a', secret_to: { file: 'a.secret' } },
        { name: 'b', secret_to: { file } },
      ];
      writeFileSync(path, keys(...two));
      const before = await listed('api-keys', env);
      const ended = await runCli(['apply', path, '--yes'], { env });
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('secret_to: the same') });
      expect(await listed('api-keys', env)).toHaveLength(before.length);
    },
  );

  it('change nothing before, where a profile for one cannot be written', async () => {
    const env = environment();
    makeProfilesUnwritable(env);
    const teams = [{ name: 'before' }];
    const file = organization({ teams, 'api-keys': [{ name: 'ci', secret_to: { profile: 'ci' } }] });
    const { ended } = await apply(file, env);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be written') });
    expect(await listed('teams', env)).toEqual([]);
  });

  it('are disabled, and where one has to be enabled is said', async () => {
    const env = environment();
    await runCli(['api-keys', 'create', '--name', 'ci'], { env });
    const disabling = await apply(keys({ name: 'ci', enabled: false }), env);
    expect(disabling.rows).toMatchObject([{ result: 'changed' }]);
    const enabled = keys({ name: 'ci', enabled: true });
    const shown = await runCli(['diff', '-', '--exit-code'], { env, stdin: enabled });
    expect(shown.code).toBe(15);
    expect(shown.stdout).toContain(
      'the API cannot enable it; use the console, or on a local server: orgctl local keys enable',
    );
    const { ended, rows } = await apply(enabled, env);
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([{ name: 'ci', result: 'not tried' }]);
    const key = (await listed('api-keys', env)).find(({ name }) => name === 'ci')?.['id'];
    const command = `orgctl local keys enable ${key}`;
    const hint = `enable it in the management console; on a local server: ${command}`;
    for (const one of [ended, shown]) expect(one.stderr).toContain(hint);
  });

  it.each([
    ['exit 3', /\(exit 3\) exited with code 3\).*deleted again/],
    ['sh -c "exit 4"', /\(sh -c "exit 4"\) exited with code 4\).*deleted again/],
    ['kill -9 $$', /\(kill -9 \$\$\) was terminated by SIGKILL\).*deleted again/],
  ])('whose command fails says which, how, and what became of the key: %s', async (command, error) => {
    const env = environment();
    const { ended, rows } = await apply(keys({ name: 'ci', secret_to: { command } }), env);
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([{ result: 'failed', error: expect.stringMatching(error) }]);
    expect(await listed('api-keys', env)).toHaveLength(1);
  });

  it('whose file is taken meanwhile is deleted again, and so is its record', async () => {
    const place = join(temporaryDirectory(), 'ci');
    const { env } = await relayedService({
      after: (call) => {
        if (call === 'POST /api-keys') writeFileSync(place, 'of another');
        return undefined;
      },
    });
    const { rows } = await apply(keys({ name: 'ci', secret_to: { file: place } }), env);
    expect(rows).toMatchObject([{ result: 'failed', error: expect.stringContaining('deleted again') }]);
    expect(readFileSync(place, 'utf8')).toBe('of another');
    expect(existsSync(`${place}.pending`)).toBe(false);
    expect(await listed('api-keys', env)).toHaveLength(1);
  });
});

describe('an API key without its secret that cannot be deleted', () => {
  it.each(['command', 'file'])('is to be deleted before the next run: { %s }', async (target) => {
    const place = join(temporaryDirectory(), 'ci');
    let isRefusing = true;
    const { env } = await relayedService({
      before: async (call) =>
        isRefusing && call.startsWith('DELETE /api-keys/') ? httpAnswer(500, {}) : undefined,
      after: (call) => {
        if (isRefusing && target === 'file' && call === 'POST /api-keys') writeFileSync(place, 'of another');
        return undefined;
      },
    });
    const command = `test ! -e '${place}.broken' && cat > '${place}'`;
    const file = keys({ name: 'ci', secret_to: target === 'file' ? { file: place } : { command } });
    writeFileSync(`${place}.broken`, '');
    const { ended } = await apply(file, env);
    const [, id = ''] = /so delete it: orgctl api-keys delete (key_\w+)/.exec(ended.stderr) ?? [];
    expect(ended.stderr).toContain('; then run the same command to continue');
    isRefusing = false;
    for (const name of [place, `${place}.broken`]) rmSync(name, { force: true });
    expect(await runCli(['api-keys', 'delete', id, '--yes'], { env })).toMatchObject({ code: 0 });
    expect((await apply(file, env)).rows).toMatchObject([{ name: 'ci', result: 'created' }]);
    expect(readFileSync(place, 'utf8')).toHaveLength(64);
  });
});

it.each(['file', 'command'])(
  'a key that may be old stays, for its secret to be stored: { %s }',
  async (target) => {
    const [place, secret] = [join(temporaryDirectory(), 'ci'), 's'.repeat(64)];
    const made = { id: 7, key_id: `key_${'a'.repeat(8)}`, name: 'ci' };
    const { env, posted } = await scriptedService({
      'GET /api-keys': () => httpAnswer(200, [{ id: 'key_test', name: 'test' }, ...posted().map(() => made)]),
      'GET /quotas': () => quotaAnswer(10),
      'POST /api-keys': () => {
        writeFileSync(place, 'of another');
        return httpAnswer(201, { ...made, secret });
      },
    });
    const file = keys({ name: 'ci', secret_to: target === 'file' ? { file: place } : { command: 'false' } });
    const { ended, rows } = await apply(file, env);
    expect(rows).toMatchObject([
      { error: expect.stringMatching(/could not be stored .*the key was not changed$/) },
    ]);
    const advice = `store the secret of ${made.key_id}, reported above, where secret_to says; then run the same`;
    expect(ended.stderr).toContain(advice);
    expect(ended.stderr).not.toContain('delete');
    rmSync(place);
    writeFileSync(place, secret, { mode: 0o600 });
    expect((await apply(file, env)).ended.code).toBe(0);
    expect([posted().length, readFileSync(place, 'utf8')]).toEqual([1, secret]);
  },
);

describe('an API key whose creation was interrupted', () => {
  /** A service, and an apply whose first answer to the POST of a key is lost; `env` is of an address without losses. */
  async function interrupted(target: 'file' | 'profile') {
    let isDropping = true;
    const { http, env } = await relayedService({
      after: (call) => (isDropping && call === 'POST /api-keys' ? 'drop' : undefined),
    });
    const place = target === 'file' ? join(temporaryDirectory(), 'ci') : 'ci';
    const file = keys({ name: 'ci', secret_to: { [target]: place } });
    const cut = await apply(file, env);
    expect({ code: cut.ended.code, rows: cut.rows }).toMatchObject({
      code: 12,
      rows: [{ result: 'outcome unknown' }],
    });
    // With --yes the same command would be refused.
    expect(cut.ended.stderr).toMatch(
      /to delete it and continue: orgctl diff FILE --out plan.json [^,]*, then orgctl apply FILE --plan plan.json/,
    );
    isDropping = false;
    const [, orphan] = await listed('api-keys', env);
    const elsewhere = { ...env, ORGCTL_BASE_URL: http.url };
    return { http, place, file, env, elsewhere, orphan: String(orphan?.['id']) };
  }

  it('makes room in the quota when it is deleted, so that no other key has to go first', async () => {
    const { file, env, http } = await interrupted('file');
    await http.control.keys.issue({ name: 'other' });
    await http.control.quotas.set({ 'api-keys': 3 });
    const columns = ['--columns', 'sign,name,said', '-o', 'csv'];
    const { stdout } = await runCli(['diff', '-', '--prune', ...columns], { env, stdin: file });
    expect(stdout).toMatch(/^-,ci,"?seems to come from an interrupted run/m);
    expect(stdout).toMatch(/^-,other,$/m);
  });

  it.each(['file', 'profile'] as const)(
    'is deleted as the plan says, and made anew: { %s }',
    async (target) => {
      const { place, file, env, orphan } = await interrupted(target);
      const { plan } = await planOf(file, env);
      expect(plan.changes).toMatchObject([
        { action: 'delete', name: 'ci', id: orphan, goingOn: true },
        { action: 'create', name: 'ci', goingOn: true },
      ]);
      const { stdout, stderr } = await runCli(['diff', '-'], { env, stdin: file });
      expect(stdout).toContain(
        `- ci (${orphan}) seems to come from an interrupted run: it has its name and time, and was never used`,
      );
      expect(stderr).toMatch(/^1 to create, 1 to delete; 0 unchanged;/);
      const alone = await apply(file, env);
      const how = /orgctl diff FILE --out plan.json [^,]*, then orgctl apply FILE --plan plan.json/;
      expect(alone.ended).toMatchObject({ code: 2, stderr: expect.stringMatching(how) });
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
    },
  );

  it('stays where its deletion fails, and no other is created beside it', async () => {
    const { http, file, env, orphan } = await interrupted('file');
    await http.control.faults.set(['DELETE /api-keys/*=500']);
    const { ended, rows } = await applyReviewed(file, env);
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([
      { id: orphan, result: 'failed' },
      { name: 'ci', result: 'not tried', error: expect.stringContaining('was not deleted') },
    ]);
    await http.control.faults.clear();
    const again = await applyReviewed(file, env);
    expect(again.rows).toMatchObject([{ result: 'deleted' }, { result: 'created' }]);
  });

  it('is not guessed among several, nor taken from an entry that names it by its ID', async () => {
    const { place, env, file, orphan } = await interrupted('file');
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
  });

  it('is left alone where a profile has it: its secret is in use', async () => {
    const { env, file, orphan } = await interrupted('file');
    const { ORGCTL_BASE_URL: baseUrl = '', ORGCTL_CONFIG_DIR: directory = '' } = env;
    const content = { version: 1, profiles: { ci: { baseUrl, keyId: orphan, secret: 's'.repeat(64) } } };
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, 'profiles.json'), JSON.stringify(content), { mode: 0o600 });
    const { plan } = await planOf(file, env);
    expect(plan?.changes ?? []).not.toContainEqual(expect.objectContaining({ action: 'delete' }));
  });

  it.each(['file', 'profile'] as const)(
    'is named to every later key, unless a profile has the key that began: { %s }',
    async (target) => {
      const { place, file, env, orphan } = await interrupted(target);
      const later = await runCli(['api-keys', 'create', '--name', 'later', '-o', 'json'], { env });
      const { id, secret: secretOfLater } = JSON.parse(later.stdout);
      const rotated = { ...env, ORGCTL_KEY_ID: String(id), ORGCTL_SECRET: String(secretOfLater) };
      const unstored = `an interrupted run may have created ${orphan} without storing its secret`;
      expect((await apply(file, rotated)).ended).toMatchObject({
        ...{ code: 2, stdout: '', stderr: expect.stringContaining(unstored) },
      });
      if (target === 'file') {
        writeFileSync(place, 'stored by hand', { mode: 0o600 });
        expect((await apply(file, rotated)).ended).toMatchObject({ code: 0 });
        rmSync(place);
      }
      // The profile that began may finish, and its place is not taken.
      const path = join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json');
      const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { version: 1 };
      const [baseUrl, keyId, secret] = [env['ORGCTL_BASE_URL'], env['ORGCTL_KEY_ID'], env['ORGCTL_SECRET']];
      mkdirSync(String(env['ORGCTL_CONFIG_DIR']), { recursive: true, mode: 0o700 });
      const profiles = { began: { baseUrl, keyId, secret } };
      writeFileSync(path, JSON.stringify({ ...stored, profiles }), { mode: 0o600 });
      const left = await apply(file, rotated);
      expect(left.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('orgctl ignores it') });
      const other = keys({ name: 'other', secret_to: { [target]: place } });
      const taken = 'of an unfinished creation with profile "began"; run that command again first';
      expect((await apply(other, rotated)).ended).toMatchObject({
        ...{ code: 2, stdout: '', stderr: expect.stringContaining(JSON.stringify(taken).slice(1, -1)) },
      });
      expect((await applyReviewed(file, env)).rows).toMatchObject([
        { result: 'deleted', id: orphan },
        { result: 'created' },
      ]);
    },
  );

  it('whose secret is in the record gets it stored, and is not deleted', async () => {
    const env = environment();
    const place = join(temporaryDirectory(), 'ci');
    const made = await runCli(['api-keys', 'create', '--name', 'ci', '-o', 'json'], { env });
    const created = JSON.parse(made.stdout);
    const { ORGCTL_BASE_URL: baseUrl = '', ORGCTL_KEY_ID: keyId = '', ORGCTL_SECRET: secret = '' } = env;
    const [since, until] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z'];
    const creation = { id: 'abcd', since, name: 'ci', until, before: [] };
    const record = seal({ creation, pid: 2 ** 30, created }, place, { baseUrl, keyId, secret });
    writeFileSync(`${place}.pending`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    const file = keys({ name: 'ci', secret_to: { file: place } });
    // A service may store the name in another form.
    await runCli(['api-keys', 'update', created.id, '--name', 'CI'], { env });
    const shown = await runCli(['diff', '-'], { env, stdin: file });
    const said = 'was created by an interrupted run; apply only stores its secret';
    expect(shown.stdout).toContain(`+ ci (${created.id}) ${said}`);
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

describe('an API key whose creation got a response that nobody understands', () => {
  /** A service that makes each key, and answers the first POST with text. */
  async function misunderstood() {
    let posts = 0;
    const { http, env } = await relayedService({
      before: async (call) => {
        if (call !== 'POST /api-keys' || posts++ > 0) return undefined;
        await http.control.keys.issue({ name: 'ci' });
        return httpAnswer(201, 'made', { 'Content-Type': 'text/plain' });
      },
    });
    return env;
  }

  it.each(['file', 'profile'])('is replaced by the next plan: { %s }', async (target) => {
    const env = await misunderstood();
    const place = target === 'file' ? join(temporaryDirectory(), 'ci') : 'ci';
    const file = keys({ name: 'ci', secret_to: { [target]: place } });
    const first = await apply(file, env);
    expect(first).toMatchObject({ ended: { code: 12 }, rows: [{ name: 'ci', result: 'outcome unknown' }] });
    expect(first.ended.stderr).toMatch(/which may contain a secret, is in .*answer/);
    expect(first.ended.stderr).toContain('"hint":"a new key may exist without its secret; to delete it');
    expect((await apply(file, env)).ended).toMatchObject({ code: 2, stdout: '' });
    const { rows } = await applyReviewed(file, env);
    expect(rows).toMatchObject([{ result: 'deleted' }, { result: 'created' }]);
    if (target === 'file') expect(readFileSync(place, 'utf8')).toHaveLength(64);
    expect((await apply(file, env)).rows).toEqual([]);
  });

  it('counts as done once its secret is in its file', async () => {
    const env = await misunderstood();
    const place = join(temporaryDirectory(), 'ci');
    const file = keys({ name: 'ci', secret_to: { file: place } });
    await apply(file, env);
    writeFileSync(place, 'by hand', { mode: 0o600 });
    expect(await apply(file, env)).toMatchObject({ ended: { code: 0 }, rows: [] });
  });

  it('is named by the first run where a command gets the secret', async () => {
    const file = keys({ name: 'ci', secret_to: { command: 'cat' } });
    const { ended } = await apply(file, await misunderstood());
    const find = 'find and delete it: orgctl api-keys list --all --name ci';
    expect(ended.stderr).toContain(`a new key may exist without its secret, so ${find}`);
  });

  it('stops each plan until it is deleted or pinned, where nothing proves whose it is', async () => {
    let isDeleted = false;
    const { env, posted } = await scriptedService({
      'GET /api-keys': () =>
        httpAnswer(
          200,
          ['key_test', ...(isDeleted ? [] : posted().map(() => 'key_new'))].map((id) => ({
            id,
            name: id.slice(4),
          })),
        ),
      'GET /quotas': () => quotaAnswer(10),
      'POST /api-keys': () => httpAnswer(201, 'made'),
    });
    const place = join(temporaryDirectory(), 'new');
    const entry = { name: 'new', secret_to: { file: place } };
    await apply(keys(entry), env);
    const stopped = await apply(keys(entry), env);
    expect(stopped.ended).toMatchObject({ code: 2, stdout: '' });
    const problem = 'secret_to: an interrupted run may have created key_new without storing its secret';
    expect(stopped.ended.stderr).toContain(`${problem}; if it is stored elsewhere, pin the key: id: key_new`);
    const deletion = 'orgctl api-keys delete key_new --base-url';
    expect(stopped.ended.stderr).toContain(`"hint":"delete a key only if nothing uses it: ${deletion}`);
    expect((await apply(keys({ ...entry, id: 'key_new' }), env)).ended.code).toBe(0);
    expect(posted()).toHaveLength(1);
    isDeleted = true;
    await apply(keys(entry), env);
    expect(posted()).toHaveLength(2);
  });
});
