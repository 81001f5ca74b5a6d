import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorOf, runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';

const anotherUser = 54_321;

/** A profile whose secret is printed by a command that leaves a trace. */
function withCommand() {
  const trace = join(temporaryDirectory(), 'ran');
  const prod = {
    baseUrl: 'http://127.0.0.1:9',
    keyId: 'key_a',
    secretCommand: ['sh', '-c', `echo x; touch '${trace}'`],
  };
  const env = withProfileFile({ version: 1, current: 'prod', profiles: { prod } });
  const directory = env['ORGCTL_CONFIG_DIR'] ?? '';
  return {
    env: { ...env, PATH: process.env['PATH'] },
    directory,
    path: join(directory, 'profiles.json'),
    trace,
  };
}

const quotas = ['quotas', '--retries', '0', '-o', 'json'];

// Only root can give files away.
describe.runIf(process.geteuid?.() === 0)('what belongs to another user', () => {
  it.each(['file', 'directory'] as const)('is not read: the %s of profiles', async (kind) => {
    const { env, directory, path, trace } = withCommand();
    const foreign = kind === 'file' ? path : directory;
    chownSync(foreign, anotherUser, 0);
    for (const args of [quotas, ['profile', 'use', 'prod', '-o', 'json']]) {
      const ended = await runCli(args, { env });
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(errorOf(ended)).toMatchObject({
        code: 'config',
        message: `${foreign} belongs to another user (${anotherUser}), who could put anything there`,
        hint: expect.stringContaining('sudo -H'),
      });
    }
    expect(await runCli(['whoami'], { env })).toMatchObject({ code: 3 });
    expect(existsSync(trace)).toBe(false);
  });

  it('gets nothing written to it: a directory without a file', async () => {
    const directory = join(temporaryDirectory(), 'config');
    mkdirSync(directory, { mode: 0o700 });
    chownSync(directory, anotherUser, 0);
    const args = ['profile', 'add', 'x', '--base-url', 'https://a.example', '--key-id', 'key_a'];
    const ended = await runCli([...args, '--secret-env', 'S', '--no-verify'], {
      env: { ORGCTL_CONFIG_DIR: directory, S: 's'.repeat(64) },
    });
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('belongs to another user') });
    expect(readdirSync(directory)).toEqual([]);
  });
});
