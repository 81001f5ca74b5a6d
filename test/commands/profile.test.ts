import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyEnvironment, errorOf, runCli, startCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService();
const secret = 's'.repeat(64);
const place = ['--base-url', 'https://api.example.com/v1', '--key-id', 'key_abc'];

function addStored(env: Record<string, string | undefined>, name = 'prod', args: readonly string[] = []) {
  return runCli(['profile', 'add', name, ...place, '--secret-stdin', '--no-verify', ...args], {
    env,
    stdin: `${secret}\n`,
  });
}

describe('profile add', () => {
  it('stores what is needed, for its owner alone, and shows no secret', async () => {
    const env = emptyEnvironment();
    const ended = await addStored(env);
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toContain(secret);
    const path = join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(String(env['ORGCTL_CONFIG_DIR'])).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      current: 'prod',
      profiles: { prod: { baseUrl: 'https://api.example.com/v1', keyId: 'key_abc', secret } },
    });
  });

  it('tries the key first, and the profile then works', async () => {
    const { server } = service;
    const env = { ...emptyEnvironment(), THE_SECRET: server.secret };
    const args = ['--base-url', server.url, '--key-id', server.keyId, '--ca-file', String(server.caFile)];
    const ended = await runCli(['profile', 'add', 'here', ...args, '--secret-env', 'THE_SECRET'], { env });
    expect(ended.code).toBe(0);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
  });

  it('stores nothing when the key is refused', async () => {
    const { server } = service;
    const env = emptyEnvironment();
    const args = ['--base-url', server.url, '--key-id', server.keyId, '--ca-file', String(server.caFile)];
    const ended = await runCli(['profile', 'add', 'here', ...args, '--secret-stdin'], { env, stdin: secret });
    expect(ended.code).toBe(4);
    expect(ended.stderr).toContain('nothing was stored');
    expect(JSON.parse((await runCli(['profile', 'list', '-o', 'json'], { env })).stdout)).toEqual([]);
  });

  it('asks for the secret on a terminal, and does not echo it', async () => {
    const env = emptyEnvironment();
    const { system, ended } = startCli(['profile', 'add', 'prod', ...place, '--no-verify'], {
      env,
      isTTY: true,
    });
    await expect.poll(() => system.stderrText()).toContain('API key secret');
    system.type(`${secret}\r`);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(secret);
    expect(system.rawMode).toBe(false);
    const stored = readFileSync(join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json'), 'utf8');
    expect(JSON.parse(stored).profiles.prod.secret).toBe(secret);
  });

  it.each([
    [['profile', 'add', 'prod', '--secret-stdin'], '--base-url, --key-id'],
    [['profile', 'add', 'no/name', ...place], 'not a profile name'],
    [['profile', 'add', 'prod', ...place], 'there is no terminal'],
    [['profile', 'add', 'prod', ...place, '--secret-env', 'NOT_SET'], 'NOT_SET'],
    [['profile', 'add', 'prod', ...place, '--secret-stdin', '--secret-command', 'x'], 'excludes'],
    [['profile', 'add', 'prod', ...place, '--secret-stdin', '--timeout', 'soon'], '--timeout'],
    [['profile', 'add', 'prod', '--base-url', 'http://api.example.com', '--key-id', 'key_a'], 'https'],
  ])('refuses %j', async (args, message) => {
    const env = emptyEnvironment();
    const ended = await runCli(args, { env, stdin: secret });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(message);
    expect(JSON.parse((await runCli(['profile', 'list', '-o', 'json'], { env })).stdout)).toEqual([]);
  });

  it('refuses a name that is taken, before it asks for a secret', async () => {
    const env = emptyEnvironment();
    await addStored(env);
    const ended = await runCli(['profile', 'add', 'prod', ...place], { env });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('already a profile');
  });

  it('stores a command in place of a secret, and runs it when the secret is needed', async () => {
    const { server } = service;
    const env = emptyEnvironment();
    const args = ['--base-url', server.url, '--key-id', server.keyId, '--ca-file', String(server.caFile)];
    const ended = await runCli(
      ['profile', 'add', 'here', ...args, '--secret-command', `echo ${server.secret}`],
      { env },
    );
    expect(ended.code).toBe(0);
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    const shown = await runCli(['profile', 'show', '-o', 'json'], { env });
    expect(shown.stdout).not.toContain(server.secret);
  });

  it('refuses changes with a read-only profile, before anything is sent', async () => {
    const { server } = service;
    const env = emptyEnvironment();
    const args = ['--base-url', server.url, '--key-id', server.keyId, '--ca-file', String(server.caFile)];
    await runCli(['profile', 'add', 'ro', ...args, '--secret-stdin', '--read-only'], {
      env,
      stdin: server.secret,
    });
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    const ended = await runCli(['teams', 'create', '--name', 'x', '-o', 'json'], { env });
    expect(ended.code).toBe(3);
    expect(errorOf(ended)).toMatchObject({ code: 'config', method: 'POST' });
  });
});

describe('profile list, show, use, rename, remove, path', () => {
  it('walks through the life of two profiles', async () => {
    const env = emptyEnvironment();
    await addStored(env, 'a');
    await addStored(env, 'b');
    const list = async () => {
      const rows: { name: string; current: boolean }[] = JSON.parse(
        (await runCli(['profile', 'list', '-o', 'json'], { env })).stdout,
      );
      return rows.map(({ name, current }) => (current ? `*${name}` : name));
    };
    expect(await list()).toEqual(['*a', 'b']);
    await runCli(['profile', 'use', 'b'], { env });
    expect(await list()).toEqual(['a', '*b']);
    await runCli(['profile', 'rename', 'b', 'c'], { env });
    expect(await list()).toEqual(['a', '*c']);
    const removed = await runCli(['profile', 'remove', 'c'], { env });
    expect(removed.stderr).toContain('profile use');
    expect(await list()).toEqual(['a']);
  });

  it.each([
    ['show', ['nope']],
    ['use', ['nope']],
    ['rename', ['nope', 'other']],
    ['remove', ['nope']],
  ])('%s refuses an unknown name and lists the known ones', async (verb, args) => {
    const env = emptyEnvironment();
    await addStored(env, 'known');
    const ended = await runCli(['profile', verb, ...args], { env });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('"nope"');
    expect(ended.stderr).toContain('known');
  });

  it('prints its path bare, and as a JSON string', async () => {
    const env = emptyEnvironment();
    const path = join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json');
    expect((await runCli(['profile', 'path'], { env })).stdout).toBe(`${path}\n`);
    expect(JSON.parse((await runCli(['profile', 'path', '-o', 'json'], { env })).stdout)).toBe(path);
  });
});

describe('a config file', () => {
  it('that does not parse is named and left as it is', async () => {
    const env = emptyEnvironment();
    const directory = String(env['ORGCTL_CONFIG_DIR']);
    const path = join(directory, 'profiles.json');
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(path, '{ "profiles": oops', { mode: 0o600 });
    for (const args of [['quotas'], ['profile', 'list'], ['profile', 'use', 'x']]) {
      const ended = await runCli(args, { env });
      expect(ended.code).toBe(3);
      expect(ended.stderr).toContain(path);
    }
    expect((await addStored(env)).code).toBe(3);
    expect(readFileSync(path, 'utf8')).toBe('{ "profiles": oops');
  });

  it('that others can read is reported by every command', async () => {
    const env = emptyEnvironment();
    await addStored(env);
    chmodSync(join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json'), 0o644);
    for (const args of [['profile', 'list'], ['whoami'], ['help', 'exit-codes']]) {
      const ended = await runCli(args, { env });
      expect(ended.code).toBe(0);
      expect(ended.stderr).toContain('chmod 600');
    }
  });
});
