import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apply, listed, organization, planOf } from '../commands/support/organization.js';
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
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('blocks the lock of the profiles'),
    });
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
    expect(shown.stderr).toContain(hint);
  });

  it.each([
    ['exit 3', /\(exit 3\) exited with code 3\)/],
    ['sh -c "exit 4"', /\(sh -c "exit 4"\) exited with code 4\)/],
    ['kill -9 $$', /\(kill -9 \$\$\) failed \(SIGKILL\)\)/],
  ])('whose command fails says which, how, and what became of the key: %s', async (command, error) => {
    const env = environment();
    const { ended, rows } = await apply(keys({ name: 'ci', secret_to: { command } }), env);
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([{ result: 'failed', error: expect.stringMatching(error) }]);
    const [, key] = await listed('api-keys', env);
    expect(ended.stderr).toMatch(new RegExp(`so the secret of ${key?.['id']} is in \\S+recovered-`));
  });

  it('whose file is taken meanwhile keeps its secret in a recovery file', async () => {
    const place = join(temporaryDirectory(), 'ci');
    const { env } = await relayedService({
      after: (call) => {
        if (call === 'POST /api-keys') writeFileSync(place, 'of another');
        return undefined;
      },
    });
    const { ended, rows } = await apply(keys({ name: 'ci', secret_to: { file: place } }), env);
    const error = expect.stringMatching(/could not be stored .*; the warning says where it is$/);
    expect(rows).toMatchObject([{ result: 'failed', error }]);
    expect(ended.stderr).toMatch(/the secret of key_\w+ is in \S+recovered-/);
    expect(readFileSync(place, 'utf8')).toBe('of another');
    expect(await listed('api-keys', env)).toHaveLength(2);
  });
});

describe('an API key whose creation got no answer, or one that nobody understands', () => {
  it.each(['drop', 'misunderstood'] as const)('is named, and left to the user: %s', async (what) => {
    let isFailing = true;
    const { env } = await relayedService({
      before: async (call) =>
        isFailing && what === 'misunderstood' && call === 'POST /api-keys'
          ? httpAnswer(201, 'made', { 'Content-Type': 'text/plain' })
          : undefined,
      after: (call) => (isFailing && what === 'drop' && call === 'POST /api-keys' ? 'drop' : undefined),
    });
    const file = keys({ name: 'ci', secret_to: { file: join(temporaryDirectory(), 'ci') } });
    const { ended, rows } = await apply(file, env);
    expect(ended.code).toBe(12);
    const error = expect.stringContaining(
      'if a key named "ci" now exists, its secret is not where the file says',
    );
    expect(rows).toMatchObject([{ name: 'ci', result: 'outcome unknown', error }]);
    isFailing = false;
    const made = (await listed('api-keys', env)).filter(({ name }) => name === 'ci');
    expect(made).toHaveLength(what === 'drop' ? 1 : 0);
    // The next plan reads the service again, and deletes nothing.
    const { plan } = await planOf(file, env);
    expect(plan?.changes.map(({ action }: { action: string }) => action) ?? []).toEqual(
      what === 'drop' ? [] : ['create'],
    );
  });
});
