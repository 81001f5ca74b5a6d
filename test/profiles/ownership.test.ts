import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('is not read through a link of one’s own', async () => {
    const { env, path, trace } = withCommand();
    const elsewhere = join(temporaryDirectory(), 'profiles.json');
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    chownSync(elsewhere, anotherUser, 0);
    expect(await runCli(quotas, { env })).toMatchObject({ code: 3 });
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

  it('is read by its owner, and what is root’s by everybody', async () => {
    const { env, directory, path, trace } = withCommand();
    const actAs = (user: number) => vi.spyOn(process, 'geteuid').mockReturnValue(user);
    onTestFinished(() => void vi.restoreAllMocks());
    actAs(anotherUser);
    expect(await runCli(quotas, { env })).toMatchObject({ code: 9 });
    chownSync(path, anotherUser, 0);
    chownSync(directory, anotherUser, 0);
    expect(await runCli(quotas, { env })).toMatchObject({ code: 9 });
    expect(existsSync(trace)).toBe(true);
    actAs(anotherUser + 1);
    const ended = await runCli(quotas, { env });
    expect(ended.code).toBe(3);
    expect(errorOf(ended)['hint']).toContain(`sudo chown ${anotherUser + 1} '${dirname(path)}'`);
  });
});
