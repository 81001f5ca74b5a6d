import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { 'api-keys': 50 } });
const create = ['api-keys', 'create', '--name', 'ci', '-o', 'json'];

async function useKey(id: string, secret: string) {
  const env = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
  return runCli(['quotas', '-o', 'json'], { env });
}

describe('api-keys create', () => {
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

  it('notes that a key that was to be disabled came back enabled', async () => {
    const { env } = await scriptedService({
      'POST /api-keys': () => httpAnswer(201, { id: 'key_1', enabled: true, secret: 's' }),
    });
    const noteOf = async (field: string) => (await runCli([...create, '--field', field], { env })).stderr;
    expect(await noteOf('enabled:=false')).toContain('orgctl api-keys disable key_1');
    expect(await noteOf('enabled:=true')).not.toContain('disable');
  });
});
