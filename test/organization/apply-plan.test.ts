import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { fileOf } from '../commands/support/connection-entries.js';
import { apply, type Env, entry, listed, organization, teams } from '../commands/support/organization.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';
import { useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

const file = organization({ teams: teams(2), connections: [entry('app')] });

async function planned(path: string, env: Env, ...more: string[]): Promise<string> {
  const out = join(temporaryDirectory(), 'plan.json');
  const ended = await runCli(['diff', path, '--out', out, '-q', ...more], { env });
  expect(ended).toMatchObject({ code: 0 });
  return out;
}

const applied = (path: string, plan: string, env: Env, ...more: string[]) =>
  runCli(['apply', path, '--plan', plan, '-o', 'json', ...more], { env });

/** Why a plan is refused, by its exit code. */
const refusal = (exitCode: number, text: string) => ({ exitCode, message: expect.stringContaining(text) });

it('a plan takes no other options than it was made with, except the word that confirms large deletions', async () => {
  const env = environment();
  await apply(organization({ teams: teams(3), connections: [entry('app')] }), env);
  const path = fileOf(organization({ teams: teams(1), connections: [] }), 'org.yaml');
  const plan = await planned(path, env, '--prune=teams');
  expect((await applied(path, plan, env, '--prune')).code).toBe(2);
  expect((await applied(path, plan, env, '--set-secrets')).code).toBe(2);
  const asked = await applied(path, plan, env);
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--prune=teams,all') });
  expect(await listed('teams', env)).toHaveLength(3);
  expect((await applied(path, plan, env, '--prune=teams,all')).code).toBe(0);
  expect([await listed('teams', env), await listed('connections', env)].flat()).toHaveLength(2);
});

it('a plan of another address or organization, or none, is refused before anything is sent', async () => {
  const env = environment();
  const path = fileOf(file, 'org.yaml');
  const plan = await planned(path, env);
  expect(readFileSync(plan, 'utf8')).not.toContain('hunter2');
  const below = `${env['ORGCTL_BASE_URL']}/eu`;
  const refused = await applied(path, plan, { ...env, ORGCTL_BASE_URL: below });
  expect(errorOf(refused)).toMatchObject(refusal(3, `but this is ${below}`));
  const other = await startServer();
  try {
    const elsewhere = { ...env, ...serviceEnvironment(other) };
    const forged = JSON.stringify({ ...JSON.parse(readFileSync(plan, 'utf8')), base_url: other.url });
    const forgedPlan = fileOf(forged, 'plan.json');
    expect(errorOf(await applied(path, forgedPlan, elsewhere))).toMatchObject(refusal(3, 'organization'));
    expect(await other.control.journal.count({ method: 'POST' })).toBe(0);
  } finally {
    await other.close();
  }
  const deep = `{"plan":1,"changes":[${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}]}`;
  const many = JSON.stringify({ plan: 1, changes: Array.from({ length: 300_000 }, () => 0) });
  for (const text of ['', '{}', '[]', '{"plan":1,"plan":1}', deep, many])
    expect(errorOf(await applied(path, fileOf(text, 'plan.json'), env))).toMatchObject({ code: 'usage' });
  expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
});

it('a plan is refused with other commands in it, and runs none of them', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'org.yaml');
  writeFileSync(path, organization({ connections: [entry('a', { password: { command: 'echo x' } })] }));
  const env = environment();
  const plan = await planned(path, env);
  const ran = join(directory, 'ran');
  writeFileSync(plan, readFileSync(plan, 'utf8').replace('echo x', `touch ${ran}`));
  expect(await runCli(['apply', path, '--plan', plan], { env })).toMatchObject({ code: 14 });
  expect(existsSync(ran)).toBe(false);
});
