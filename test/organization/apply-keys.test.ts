import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apply, listed, organization, planOf } from '../commands/support/organization.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { relayedService, useOrganizationService } from './support/organization-service.js';

const { environment } = useOrganizationService();

const keys = (...entries: unknown[]) => organization({ 'api-keys': entries });

it('API keys are created once, their secrets put where the file says, and shown nowhere', async () => {
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
  expect(statSync(join(directory, 'a')).mode & 0o777).toBe(0o600);
  const [a, b, c] = ['a', 'b', 'c'].map((name) => rows.find((row) => row['name'] === name)?.['id']);
  const asA = { ...env, ORGCTL_KEY_ID: String(a), ORGCTL_SECRET: secrets[0] };
  expect(await runCli(['quotas'], { env: asA })).toMatchObject({ code: 0 });
  expect(await runCli(['quotas', '-p', 'b'], { env })).toMatchObject({ code: 0 });
  const status = new Map((await listed('api-keys', env)).map(({ id, enabled }) => [id, enabled]));
  expect([a, b, c].map((id) => status.get(id))).toEqual([true, true, false]);
  expect(status.size).toBe(4);
});

it('an API key whose file is taken meanwhile keeps its secret in a recovery file', async () => {
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

it('an API key whose creation got no answer is named, and left to the user', async () => {
  const { env } = await relayedService({
    after: (call) => (call === 'POST /api-keys' ? 'drop' : undefined),
  });
  const file = keys({ name: 'ci', secret_to: { file: join(temporaryDirectory(), 'ci') } });
  const { ended, rows } = await apply(file, env);
  const error = expect.stringContaining('if a key named "ci" now exists, its secret is not where');
  expect([ended.code, rows]).toMatchObject([12, [{ name: 'ci', result: 'outcome unknown', error }]]);
  expect((await listed('api-keys', env)).filter(({ name }) => name === 'ci')).toHaveLength(1);
  // The next plan reads the service again, and deletes nothing.
  expect((await planOf(file, env)).plan.changes).toEqual([]);
});
