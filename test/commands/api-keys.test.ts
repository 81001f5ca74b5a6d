import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { 'api-keys': 50 } });

async function createKey(args: readonly string[] = [], env = service.environment()) {
  const ended = await runCli(['api-keys', 'create', '--name', 'ci', '-o', 'json', ...args], { env });
  return { ended, key: ended.code === 0 ? JSON.parse(ended.stdout) : undefined };
}

describe('api-keys create', () => {
  it('shows the secret once, and the key works', async () => {
    const { ended, key } = await createKey();
    expect(ended.code).toBe(0);
    expect(key).toMatchObject({ name: 'ci', enabled: true, secret: expect.stringMatching(/^.{64}$/) });
    expect(ended.stderr).toContain('will not be shown again');
    const env = service.environment({ ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: key.secret });
    expect((await runCli(['quotas'], { env })).code).toBe(0);
  });

  it('asks for a name on a terminal, and again for a bad one', async () => {
    const env = service.environment();
    const isTTY = { stdin: true, stderr: true };
    const { system, ended } = startCli(['api-keys', 'create', '-o', 'json'], { env, isTTY });
    await expect.poll(() => system.stderrText()).toContain('Name of the key:');
    system.type('\r');
    await expect.poll(() => system.stderrText()).toContain('missing: --name');
    system.type('asked\r');
    const { code, stdout } = await ended;
    expect({ code, key: JSON.parse(stdout) }).toMatchObject({ code: 0, key: { name: 'asked' } });
    const unasked = await runCli(['api-keys', 'create'], { env });
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to create') });
  });

  it('takes a whole body and further fields', async () => {
    const env = service.environment();
    const ended = await runCli(
      ['api-keys', 'create', '-d', '{"enabled":true}', '--field', 'name=from field', '-o', 'json'],
      { env },
    );
    expect(JSON.parse(ended.stdout)).toMatchObject({ name: 'from field' });
  });

  it.each([
    [[], 'nothing to create'],
    [['-d', '[1]'], 'not a JSON object'],
    [['-d', '{'], 'not JSON'],
    [['-d', '{"name":"a",\n"name":"b"}'], '--data: line 2, column 1: duplicate key'],
    [['-d', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`], '--data: line 1, column 133: nested deeper'],
    [['-d', '@/dev/null/body.json'], 'not a directory'],
    [['--name', 'x', '--field', 'novalue'], 'name=value'],
    [['--name', 'x', '--field', 'n:=oops'], 'not JSON'],
    [['--name', 'x', '--field', 'name=y'], 'both --name and --field give "name"'],
    [['--name', 'x', '-d', '{"name":"x"}'], 'both --data and --name give "name"'],
    [['-d', '{"name":"x"}', '--field', 'name:="y"'], 'both --data and --field give "name"'],
    [['--field', 'name=x', '--field', 'name=y'], '--field gives "name" twice'],
    [['--name', 'x', '--save-profile', 'a', '--secret-file', 'b'], 'cannot be combined'],
    [['--name', 'x', '--save-profile', 'no/name'], 'not a profile name'],
    [['--name', 'x', '--secret-file', '/dev/null/secret'], 'not a directory'],
  ])('refuses %j before a key exists', async (args, message) => {
    const env = service.environment();
    const before = await runCli(['quotas', '-o', 'json'], { env });
    const ended = await runCli(['api-keys', 'create', ...args], { env });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(message);
    expect((await runCli(['quotas', '-o', 'json'], { env })).stdout).toBe(before.stdout);
  });

  it('puts the secret into a new file that only its owner can read', async () => {
    const path = join(temporaryDirectory(), 'secret');
    const { ended, key } = await createKey(['--secret-file', path]);
    expect(ended.code).toBe(0);
    expect(key).not.toHaveProperty('secret');
    expect(ended.stderr).toContain(`the secret is in ${path}`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const secret = readFileSync(path, 'utf8').trim();
    expect(ended.stdout + ended.stderr).not.toContain(secret);
    const env = service.environment({ ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: secret });
    expect((await runCli(['quotas'], { env })).code).toBe(0);
  });

  it('puts it into a file of the directory in which it was run', async () => {
    const cwd = temporaryDirectory();
    const args = ['api-keys', 'create', '--name', 'ci', '--secret-file', 'secret'];
    expect((await runCli(args, { env: service.environment(), cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'secret'), 'utf8')).toMatch(/^.{64}$/);
  });

  it('never overwrites a file, and creates no key for it', async () => {
    const path = join(temporaryDirectory(), 'secret');
    writeFileSync(path, 'precious');
    const env = service.environment();
    const before = await runCli(['quotas', '-o', 'json'], { env });
    const { ended } = await createKey(['--secret-file', path], env);
    expect(ended.code).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect((await runCli(['quotas', '-o', 'json'], { env })).stdout).toBe(before.stdout);
  });

  it('saves a profile that works', async () => {
    const env = service.environment();
    const { ended, key } = await createKey(['--save-profile', 'ci'], env);
    expect(ended.code).toBe(0);
    expect(key).not.toHaveProperty('secret');
    expect(ended.stderr).toContain('saved as profile \\"ci\\"; use it with --profile ci');
    const alone = { ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'] };
    expect((await runCli(['quotas', '--profile', 'ci'], { env: alone })).code).toBe(0);
  });
});

describe('api-keys list, get, disable, delete', () => {
  it('lists and shows keys without their secrets', async () => {
    const env = service.environment();
    const { key } = await createKey();
    const listed = JSON.parse((await runCli(['api-keys', 'list', '--all', '-o', 'json'], { env })).stdout);
    expect(listed).toContainEqual(expect.objectContaining({ id: key.id, name: 'ci' }));
    const shown = await runCli(['api-keys', 'get', key.id, '-o', 'json'], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: key.id, enabled: true });
    expect(shown.stdout).not.toContain('secret');
  });

  it('disables a key, which is then refused with exit 5', async () => {
    const { key } = await createKey();
    const ended = await runCli(['api-keys', 'disable', key.id, '-o', 'json'], { env: service.environment() });
    expect(JSON.parse(ended.stdout)).toMatchObject({ id: key.id, enabled: false });
    const env = service.environment({ ORGCTL_KEY_ID: key.id, ORGCTL_SECRET: key.secret });
    const refused = await runCli(['quotas', '-o', 'json'], { env });
    expect(refused.code).toBe(5);
    expect(errorOf(refused)).toMatchObject({
      message: 'API key is disabled',
      hint: expect.stringContaining('console'),
    });
  });
});

describe('api-keys create --field enabled:=false', () => {
  it('notes that the key came back enabled', async () => {
    const { env } = await scriptedService({
      'POST /api-keys': () => httpAnswer(201, { id: 'key_1', enabled: true, secret: 's' }),
    });
    const args = ['api-keys', 'create', '--name', 'ci', '--field'];
    const ended = await runCli([...args, 'enabled:=false'], { env });
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('orgctl api-keys disable key_1'),
    });
    expect((await runCli([...args, 'enabled:=true'], { env })).stderr).not.toContain('disable');
  });
});
