import { expect, it } from 'vitest';
import { fileOf } from '../commands/support/connection-entries.js';
import { apply, listed, organization, teams } from '../commands/support/organization.js';
import { scriptedService } from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import { useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

const some = (count: number) => organization({ teams: teams(count) });

it.each([
  [4, 2, 'more than 30 %'],
  [40, 29, 'more than 10'],
])('of %i that leaves %i is not done by --yes alone: %s', async (before, after) => {
  const env = environment();
  await apply(some(before), env);
  const { ended } = await apply(some(after), env, '--prune');
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--prune=all') });
  expect(await listed('teams', env)).toHaveLength(before);
  const args = ['apply', fileOf(some(after), 'org.yaml'), '--yes', '--prune'];
  const asked = await runCli(args, { env, isTTY: true, stdin: 'n\r' });
  expect(asked.code).toBe(130);
  expect(asked.stderr).toContain(
    `Delete ${before - after} of ${before} teams on ${env['ORGCTL_BASE_URL']}? [y/N]`,
  );
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

it('names the stored profiles that use a key it deletes', async () => {
  const env = environment();
  await runCli(['api-keys', 'create', '--name', 'ci', '--save-profile', 'ci'], { env });
  const file = organization({ 'api-keys': [] });
  const note = expect.stringContaining('profiles that will stop working: ci');
  const shown = await runCli(['diff', '-', '--prune'], { env, stdin: file });
  expect(shown).toMatchObject({ code: 0, stderr: note });
  const applied = await runCli(['apply', '-', '--prune=all', '--yes'], { env, stdin: file });
  expect(applied).toMatchObject({ code: 0, stderr: note });
});

it('deletes and disables no key where the service does not show which one signs', async () => {
  const { env, peer } = await scriptedService({
    'GET /api-keys': () => httpAnswer(200, [{ id: 'key_other', name: 'key_other', enabled: true }]),
  });
  const disabling = organization({ 'api-keys': [{ name: 'key_other', enabled: false }] });
  const stderr = expect.stringContaining('no key is pruned or disabled');
  for (const [file, ...options] of [[organization({ 'api-keys': [] }), '--prune=all'], [disabling]] as const)
    expect((await apply(file, env, ...options)).ended).toMatchObject({ code: 2, stdout: '', stderr });
  expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('creates first where the quota has room, and makes room first where it has not', async () => {
  const env = environment();
  await service.server.control.quotas.set({ teams: 3 });
  await apply(some(2), env);
  const other = (name: string) => organization({ teams: [{ name }, { name: 'team-1' }] });
  const resultsOf = async (name: string) =>
    (await apply(other(name), env, '--prune=all')).rows.map(({ result }) => result);
  expect(await resultsOf('new')).toEqual(['created', 'deleted']);
  await service.server.control.quotas.set({ teams: 2 });
  expect(await resultsOf('newer')).toEqual(['deleted', 'created']);
});
