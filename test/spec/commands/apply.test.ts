import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { httpAnswer } from '../../support/hostile-peer.js';
import { apply, entry, listed, organization, teams } from '../../support/organization.js';
import { runCli, temporaryDirectory } from '../../support/run-cli.js';
import { fileOf } from '../support/connection-entries.js';
import { useOrganizationService } from '../support/organization-service.js';
import { quotaAnswer, scriptedService } from '../support/scripted-service.js';

const { environment } = useOrganizationService();

const some = (count: number) => organization({ teams: teams(count) });

it('a plan is refused with other commands in it, and runs none of them', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'org.yaml');
  writeFileSync(path, organization({ connections: [entry('a', { password: { command: 'echo x' } })] }));
  const env = environment();
  const plan = join(directory, 'plan.json');
  await runCli(['diff', path, '--out', plan, '-q'], { env });
  const ran = join(directory, 'ran');
  writeFileSync(plan, readFileSync(plan, 'utf8').replace('echo x', `touch ${ran}`));
  expect(await runCli(['apply', path, '--plan', plan], { env })).toMatchObject({ code: 14 });
  expect(existsSync(ran)).toBe(false);
});

it('a deletion of more than 10 is not done by --yes alone', async () => {
  const [before, after] = [45, 34];
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
  expect((await apply(some(after - 10), env, '--prune')).ended.code).toBe(0);
  expect(await listed('teams', env)).toHaveLength(after - 10);
});

it('apply deletes and disables no key where the service does not show which one signs', async () => {
  const { env, peer } = await scriptedService({
    'GET /api-keys': () => httpAnswer(200, [{ id: 'key_other', name: 'key_other', enabled: true }]),
  });
  const disabling = organization({ 'api-keys': [{ name: 'key_other', enabled: false }] });
  const stderr = expect.stringContaining('no key is pruned or disabled');
  for (const [file, ...options] of [[organization({ 'api-keys': [] }), '--prune=all'], [disabling]] as const)
    expect((await apply(file, env, ...options)).ended).toMatchObject({ code: 2, stdout: '', stderr });
  expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('apply stores the secret of a key that is only accepted (202), and its outcome is unknown', async () => {
  const { env } = await scriptedService({
    'GET /api-keys': () => httpAnswer(200, [{ id: 'key_test', name: 'signs' }]),
    'GET /quotas': () => quotaAnswer(10),
    'POST /api-keys': () => httpAnswer(202, { id: 'key_new', name: 'ci', secret: 's'.repeat(64) }),
  });
  const path = join(temporaryDirectory(), 'ci.secret');
  const file = organization({ 'api-keys': [{ name: 'ci', secret_to: { file: path } }] });
  const { ended, rows } = await apply(file, env);
  expect([ended.code, readFileSync(path, 'utf8').trim()]).toEqual([12, 's'.repeat(64)]);
  expect(rows).toMatchObject([{ name: 'ci', result: 'outcome unknown' }]);
});
