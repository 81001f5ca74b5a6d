import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCli, temporaryDirectory } from '../support/run-cli.js';

afterEach(() => vi.unstubAllEnvs());

const key = ['--base-url', 'http://127.0.0.1:9', '--key-id', 'key_a', '--no-verify'];
const secret = { ORGCTL_SECRET: 'a'.repeat(64) };

/** Commands that would make something of their own below HOME. */
const writing = [
  [['profile', 'add', 'x', ...key, '--secret-env', 'ORGCTL_SECRET'], 3],
  [['serve', '--port', '0', '--no-console', '--http'], 3],
  [['serve', '--detach', '--port', '0', '--no-console', '--http'], 3],
] as const;

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
});
