import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { 'api-keys': 50 } });
const create = ['api-keys', 'create', '--name', 'ci', '-o', 'json'];

async function useKey(id: string, secret: string) {
  const env = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
  return runCli(['quotas', '-o', 'json'], { env });
}

describe('api-keys create', () => {
  it('shows the secret once, and the key works until it is disabled', async () => {
    const env = service.environment();
    const { stdout, stderr } = await runCli(create, { env });
    const key = JSON.parse(stdout);
    expect(key).toMatchObject({ name: 'ci', enabled: true, secret: expect.stringMatching(/^.{64}$/) });
    expect(stderr).toContain('will not be shown again');
    expect((await useKey(key.id, key.secret)).code).toBe(0);
    const listed = await runCli(['api-keys', 'list', '--all', '-o', 'json'], { env });
    expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ id: key.id, name: 'ci' }));
    const shown = await runCli(['api-keys', 'get', key.id, '-o', 'json'], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: key.id, enabled: true });
    expect(listed.stdout + shown.stdout).not.toContain('secret');
    const disabled = await runCli(['api-keys', 'disable', key.id, '-o', 'json'], { env });
    expect(JSON.parse(disabled.stdout)).toMatchObject({ id: key.id, enabled: false });
    const refused = await useKey(key.id, key.secret);
    expect([refused.code, errorOf(refused)]).toMatchObject([
      5,
      { message: 'API key is disabled', hint: expect.stringContaining('console') },
    ]);
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
  });

  it('takes a whole body and further fields', async () => {
    const args = ['api-keys', 'create', '-d', '{"enabled":true}', '--field', 'name=from field', '-o', 'json'];
    const { stdout } = await runCli(args, { env: service.environment() });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'from field' });
  });

  it.each([
    [[], 'nothing to create'],
    [['-d', '[1]'], 'not a JSON object'],
    [['-d', '{"name":"a",\n"name":"b"}'], '--data: line 2, column 1: duplicate key'],
    [['--name', 'x', '--field', 'novalue'], 'name=value'],
    [['--name', 'x', '--field', 'name=y'], 'both --name and --field give "name"'],
    [['--name', 'x', '-d', '{"name":"x"}'], 'both --data and --name give "name"'],
    [['--field', 'name=x', '--field', 'name=y'], '--field gives "name" twice'],
    [['--name', 'x', '--save-profile', 'a', '--secret-file', 'b'], 'cannot be combined'],
    [['--name', 'x', '--save-profile', 'no/name'], 'not a profile name'],
  ])('refuses %j before a key exists', async (args, message) => {
    const { env, peer } = await scriptedService({});
    const ended = await runCli(['api-keys', 'create', ...args], { env });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(peer.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('puts the secret into a new file, of the directory in which it runs, that only its owner can read', async () => {
    const cwd = temporaryDirectory();
    const ended = await runCli([...create, '--secret-file', 'secret'], { env: service.environment(), cwd });
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`the secret is in ${join(cwd, 'secret')}`),
    });
    const key = JSON.parse(ended.stdout);
    expect(key).not.toHaveProperty('secret');
    expect(statSync(join(cwd, 'secret')).mode & 0o777).toBe(0o600);
    const secret = readFileSync(join(cwd, 'secret'), 'utf8');
    expect(secret).toMatch(/^.{64}$/);
    expect(ended.stdout + ended.stderr).not.toContain(secret);
    expect((await useKey(key.id, secret)).code).toBe(0);
  });

  it('saves a profile that works', async () => {
    const env = service.environment();
    const ended = await runCli([...create, '--save-profile', 'ci'], { env });
    expect(JSON.parse(ended.stdout)).not.toHaveProperty('secret');
    expect(ended.stderr).toContain('saved as profile \\"ci\\"; use it with --profile ci');
    const alone = { ORGCTL_CONFIG_DIR: env['ORGCTL_CONFIG_DIR'] };
    expect((await runCli(['quotas', '--profile', 'ci'], { env: alone })).code).toBe(0);
  });

  it('notes that a key that was to be disabled came back enabled', async () => {
    const { env } = await scriptedService({
      'POST /api-keys': () => httpAnswer(201, { id: 'key_1', enabled: true, secret: 's' }),
    });
    const noteOf = async (field: string) => (await runCli([...create, '--field', field], { env })).stderr;
    expect(await noteOf('enabled:=false')).toContain('orgctl api-keys disable key_1');
    expect(await noteOf('enabled:=true')).not.toContain('disable');
  });
});
