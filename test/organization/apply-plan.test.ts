import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { fileOf } from '../commands/support/connection-entries.js';
import {
  apply,
  type Env,
  entry,
  listed,
  organization,
  rowsOf,
  teams,
} from '../commands/support/organization.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';
import { useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

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

  /** Why a plan is refused, by its exit code. */
  const refusal = (exitCode: number, text: string) => ({ exitCode, message: expect.stringContaining(text) });

  it('does not replace the file that it is of, by whatever path', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'org.yaml'), file);
    symlinkSync('org.yaml', join(cwd, 'link.json'));
    for (const out of ['org.yaml', './org.yaml', join(cwd, 'org.yaml'), 'link.json']) {
      const ended = await runCli(['diff', 'org.yaml', '--out', out], { env: environment(), cwd });
      expect(ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('the existing file is not a plan'),
      });
    }
    expect(readFileSync(join(cwd, 'org.yaml'), 'utf8')).toBe(file);
  });

  it('replaces only a plan or an empty file, and says so', async () => {
    const cwd = temporaryDirectory();
    const env = environment();
    writeFileSync(join(cwd, 'org.yaml'), file);
    writeFileSync(join(cwd, 'plan.json'), '{"prod":true}');
    const save = (out: string) => runCli(['diff', 'org.yaml', '--out', out, '-o', 'json'], { env, cwd });
    const kept = [
      ['plan.json', 'the existing file is not a plan'],
      ['-', 'a plan is written to a file'],
      ['/dev/null', 'it is a device'],
    ] as const;
    for (const [out, text] of kept) {
      expect(errorOf(await save(out)), out).toMatchObject({
        ...refusal(2, text),
        hint: 'choose another path',
      });
    }
    const misread = await runCli(['apply', 'org.yaml', '--plan', 'plan.json', '-o', 'json'], { env, cwd });
    expect(errorOf(misread)['hint']).toBe('make one with orgctl diff --out');
    expect(readFileSync(join(cwd, 'plan.json'), 'utf8')).toBe('{"prod":true}');
    expect(existsSync(join(cwd, '-'))).toBe(false);
    writeFileSync(join(cwd, 'empty'), '');
    expect(await save('empty')).toMatchObject({ code: 0 });
    expect((await save('new.json')).stderr).not.toContain('replaced');
    expect((await save('new.json')).stderr).toContain('replaced the existing new.json');
  });

  it('is done as it was made, has no secret, and is out of date afterwards', async () => {
    const env = environment();
    const path = fileOf(file, 'org.yaml');
    const plan = await planned(path, env);
    expect(readFileSync(plan, 'utf8')).not.toContain('hunter2');
    const ended = await applied(path, plan, env);
    expect(ended.code).toBe(0);
    expect(rowsOf(ended)).toHaveLength(3);
    expect(errorOf(await applied(path, plan, env))).toMatchObject(
      refusal(14, 'have changed; nothing was applied'),
    );
  });

  it('is refused when the file or what it touches has changed', async () => {
    const env = environment();
    await apply(file, env);
    const changed = fileOf(organization({ connections: [entry('app', { host: 'db2' })] }), 'org.yaml');
    const plan = await planned(changed, env);
    writeFileSync(changed, `${readFileSync(changed, 'utf8')}\n# edited\n`);
    expect(errorOf(await applied(changed, plan, env))).toMatchObject(refusal(14, 'the file has changed'));
    const next = await planned(changed, env);
    const [app] = await listed('connections', env);
    await runCli(['connections', 'update', String(app?.['id']), '--user', 'other'], { env });
    await service.server.control.journal.clear();
    expect(errorOf(await applied(changed, next, env))).toMatchObject(
      refusal(14, 'connection "app" has changed; nothing was applied'),
    );
    expect(await service.server.control.journal.count({ method: 'PATCH' })).toBe(0);
    const none = fileOf(organization({ connections: [] }), 'org.yaml');
    const deletion = await planned(none, env, '--prune=all');
    await runCli(['connections', 'update', String(app?.['id']), '--user', 'third'], { env });
    expect(errorOf(await applied(none, deletion, env))).toMatchObject(
      refusal(14, 'connection "app" has changed; nothing was applied'),
    );
    expect(await listed('connections', env)).toHaveLength(1);
  });

  it('is refused when there is more to do than was reviewed', async () => {
    const env = environment();
    await apply(file, env);
    const connections = [entry('app', { host: 'db2' })];
    const changed = fileOf(organization({ teams: teams(2), connections }), 'org.yaml');
    const plan = await planned(changed, env);
    const [team] = await listed('teams', env);
    await runCli(['teams', 'delete', String(team?.['id']), '--yes'], { env });
    await service.server.control.journal.clear();
    expect(errorOf(await applied(changed, plan, env))).toMatchObject(
      refusal(14, 'team "team-0" has changed; nothing was applied'),
    );
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
    expect(await service.server.control.journal.count({ method: 'PATCH' })).toBe(0);
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
    const differs = '--prune differs from the plan, which was made with --prune';
    for (const other of ['--prune=teams', '--prune=teams,all']) {
      const ended = await applied(path, some, env, other);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(differs) });
    }
    const deleted = ['deleted', 'deleted'];
    const pruned = await applied(path, some, env, '--prune=all');
    expect(rowsOf(pruned).map(({ result }) => result)).toEqual(deleted);
    await apply(organization({ teams: teams(3) }), env);
    const all = await planned(path, env, '--prune=all');
    expect(rowsOf(await applied(path, all, env)).map(({ result }) => result)).toEqual(deleted);
  });

  it('of an organization whose keys were all rotated since says how to make a new one', async () => {
    const env = environment();
    const path = fileOf(file, 'org.yaml');
    const plan = await planned(path, env);
    const rotated = JSON.stringify({ ...JSON.parse(readFileSync(plan, 'utf8')), api_keys: ['key_former'] });
    const copy = fileOf(rotated, 'plan.json');
    const { hint } = errorOf(await applied(path, copy, env));
    const renewal = `orgctl diff ${path} --out ${copy}`;
    expect(hint).toBe(
      `use the profile that made the plan: --profile NAME; if its keys were rotated since, make a new plan: ${renewal}`,
    );
  });

  it('of another address or organization, or none, is refused before anything is sent', async () => {
    const env = environment();
    const path = fileOf(file, 'org.yaml');
    const plan = await planned(path, env);
    const below = `${env['ORGCTL_BASE_URL']}/eu`;
    const refused = await applied(path, plan, { ...env, ORGCTL_BASE_URL: below });
    expect(errorOf(refused)).toMatchObject(refusal(3, `but this is ${below}`));
    const other = await startServer();
    try {
      const elsewhere = { ...env, ...serviceEnvironment(other) };
      expect(errorOf(await applied(path, plan, elsewhere))).toMatchObject(refusal(3, other.url));
      const forged = JSON.stringify({ ...JSON.parse(readFileSync(plan, 'utf8')), base_url: other.url });
      expect(errorOf(await applied(path, fileOf(forged, 'plan.json'), elsewhere))).toMatchObject(
        refusal(3, 'another organization'),
      );
      expect(await other.control.journal.count({ method: 'POST' })).toBe(0);
    } finally {
      await other.close();
    }
    for (const [text, problem] of [
      ['', 'plan.json is not a plan: '],
      ['{}', 'plan.json is not a plan: orgctl diff --out did not write it'],
      ['[]', 'plan.json is not a plan: orgctl diff --out did not write it'],
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
    const changes = ['diff', path, '--exit-code', '-o', 'json'];
    const pruning = await runCli([...changes, '--prune'], { env });
    expect(errorOf(pruning)['next']).toEqual(['orgctl', 'apply', path, '--prune']);
    const saving = await runCli([...changes, '-q', '--prune', '--out', plan], { env });
    const stored = ['orgctl', 'apply', path, '--plan', plan, '--prune=all'];
    expect(errorOf(saving)['next']).toEqual(stored);
    expect(await runCli(wanted.slice(1), { env })).toMatchObject({ code: 0 });
    expect(rowsOf(await applied(path, plan, env))).toMatchObject([{ result: 'deleted' }]);
  });
});
