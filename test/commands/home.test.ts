import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memorySystem } from '../support/memory-system.js';
import { runCli, runMain, temporaryDirectory } from '../support/run-cli.js';

afterEach(() => vi.unstubAllEnvs());

const key = ['--base-url', 'http://127.0.0.1:9', '--key-id', 'key_a', '--no-verify'];
const secret = { ORGCTL_SECRET: 'a'.repeat(64) };

/** Commands that would make something of their own below HOME. */
const writing = [
  [['profile', 'add', 'x', ...key, '--secret-env', 'ORGCTL_SECRET'], 3],
  [['serve', '--port', '0', '--no-console', '--http'], 3],
  [['serve', '--detach', '--port', '0', '--no-console', '--http'], 3],
] as const;

/** Commands that would look for something below HOME. */
const reading = [[['local', 'status'], 3]] as const;

describe('a HOME that is not there', () => {
  it.each(writing)('is not made, and named: %j', async (command, code) => {
    const directory = temporaryDirectory();
    const home = join(directory, 'none', 'home');
    vi.stubEnv('HOME', home);
    const ended = await runCli(command, { env: { HOME: home, ...secret } });
    expect(ended).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(/ORGCTL_CONFIG_DIR|another data directory|--data/),
    });
    expect(ended.stderr).toContain('HOME does not name a directory that exists');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is named by doctor', async () => {
    const home = join(temporaryDirectory(), 'none');
    vi.stubEnv('HOME', home);
    const { stdout } = await runCli(['doctor'], { env: { HOME: home } });
    const path = join(home, '.config', 'orgctl', 'profiles.json');
    expect(stdout).toContain(`${path} cannot exist: HOME does not name a directory that exists`);
  });

  it.each(['', 'relative'])('is not looked for in the working directory: %j', async (home) => {
    vi.stubEnv('HOME', home);
    const cwd = temporaryDirectory();
    const stderr = expect.stringMatching(/^(?!.*nonexistent).*HOME does not name a directory/);
    for (const [command, code] of [...writing, ...reading]) {
      const ended = await runCli(command, { env: { HOME: home, ...secret }, cwd });
      expect(ended).toMatchObject({ code, stdout: '', stderr });
    }
    expect([readdirSync(cwd), existsSync('.config') || existsSync('relative')]).toEqual([[], false]);
  });

  it('does not matter where everything is named', async () => {
    const directory = temporaryDirectory();
    vi.stubEnv('HOME', join(directory, 'none'));
    const env = { ...secret, ORGCTL_CONFIG_DIR: join(directory, 'config', 'orgctl') };
    expect((await runCli(writing[0][0], { env })).code).toBe(0);
    expect(readdirSync(directory)).toEqual(['config']);
  });
});

it('doctor names the place where it found no profiles', async () => {
  const directory = temporaryDirectory();
  const { stdout } = await runCli(['doctor'], { env: { ORGCTL_CONFIG_DIR: directory } });
  expect(stdout).toContain(`: ${join(directory, 'profiles.json')} does not exist`);
});

it('a TMPDIR that cannot be used is an error of the environment', async () => {
  const directory = temporaryDirectory();
  const env = { HOME: directory };
  const system = memorySystem({ argv: ['serve', '--ephemeral', '--port', '0', '--no-console'], env });
  vi.stubEnv('TMPDIR', join(directory, 'none'));
  expect(await runMain(system)).toBe(3);
  expect(system.stderrText()).toMatch(/the temporary directory \S+none cannot be used: .*\nhint: set TMPDIR/);
});
