import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { chmod, chown, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { errorOf, runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';
import { useServers } from '../support/servers.js';

const servers = useServers();
const secretFiles = ['master.key', 'orgctl.db', 'server-key.pem'];
const publicFiles = ['ca.pem', 'server.pem'];
const files = [...secretFiles, ...publicFiles];
const isRoot = process.geteuid?.() === 0;
const anotherUser = 54_321;

/** A data directory that a server has used. */
async function used(): Promise<string> {
  const data = join(await servers.directory(), 'data');
  const server = await servers.start({ data, http: false });
  await server.close();
  return data;
}

async function expectRefused(data: string, ...texts: readonly string[]): Promise<void> {
  const started = servers.start({ data, http: false });
  await expect(started).rejects.toThrow(ConfigError);
  for (const text of texts) await expect(started).rejects.toThrow(text);
}

describe.skipIf(process.platform === 'win32')('a file of the data directory', () => {
  it('is refused, with the command to fix it, if others can read it (a certificate: if others can write it)', async () => {
    const data = await used();
    const modes = [0o640, 0o604, 0o660];
    for (const [nth, name] of secretFiles.entries()) {
      const path = join(data, name);
      const mode = modes[nth] ?? 0;
      await chmod(path, mode);
      const open = `${path} is accessible to other users (mode ${mode.toString(8)})`;
      await expectRefused(data, open, `chmod 600 '${path}'`);
      execFileSync('sh', ['-c', `chmod 600 '${path}'`]);
    }
    for (const name of publicFiles) {
      const path = join(data, name);
      await chmod(path, 0o775);
      await expectRefused(data, `chmod go-w '${path}'`);
      await chmod(path, 0o755);
    }
    await servers.start({ data, http: false });
  });

  it.runIf(isRoot)('is refused if it belongs to another user, also through a link', async () => {
    const data = await used();
    for (const name of files) {
      const path = join(data, name);
      await chown(path, anotherUser, 0);
      await expectRefused(data, `${path} belongs to another user (${anotherUser})`, `chown 0 '${path}'`);
      await rename(path, `${path}.elsewhere`);
      await symlink(`${path}.elsewhere`, path);
      await expectRefused(data, `${path} belongs to another user (${anotherUser})`);
      await rm(path);
      await rename(`${path}.elsewhere`, path);
      await chown(path, 0, 0);
    }
    await servers.start({ data, http: false });
  });
});

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
describe.runIf(isRoot)('what belongs to another user', () => {
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
