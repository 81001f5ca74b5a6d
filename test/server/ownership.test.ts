import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { useServers } from './support/start.js';

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
  it('that others can read is refused with the command that closes it; of a certificate, that others can write', async () => {
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

  it('is not made in a directory for everyone, which keeps its mode', async () => {
    const data = await servers.directory();
    await chmod(data, 0o1777);
    const started = servers.start({ data, http: false });
    await expect(started).rejects.toThrow(/is writable by other users \(mode 1777\)/);
    expect((await stat(data)).mode & 0o7777).toBe(0o1777);
  });

  it.runIf(isRoot)('that belongs to another user is refused, through a link too', async () => {
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

  it('that is a FIFO, a device or a directory is refused, and not waited for', async () => {
    const data = await used();
    for (const [nth, name] of files.entries()) {
      const path = join(data, name);
      await rename(path, `${path}.elsewhere`).catch(() => undefined);
      const put = [
        () => Promise.resolve(execFileSync('mkfifo', ['-m', '600', path])),
        () => symlink('/dev/zero', path),
        () => mkdir(path, { mode: 0o700 }),
      ];
      await put[nth % put.length]?.();
      await expectRefused(data, path);
      await rm(path, { recursive: true });
      await rename(`${path}.elsewhere`, path).catch(() => undefined);
    }
    await servers.start({ data, http: false });
  });
});

describe.skipIf(process.platform === 'win32')('a data directory', () => {
  it.runIf(isRoot)('of another user is refused and left as it is, empty or not', async () => {
    const empty = await servers.directory();
    const data = await used();
    for (const path of [empty, data]) {
      await chmod(path, 0o755);
      await chown(path, anotherUser, 0);
      await expect(servers.start({ data: path })).rejects.toThrow(`chown 0 '${path}'`);
      expect((await stat(path)).mode & 0o777).toBe(0o755);
    }
    expect(await readdir(empty)).toEqual([]);
  });

  it('with other things in it, that others can write, is refused', async () => {
    const data = await servers.directory();
    await mkdir(join(data, 'notes'));
    await chmod(data, 0o775);
    await expect(servers.start({ data })).rejects.toThrow(`chmod go-w '${data}'`);
    expect(await readdir(data)).toEqual(['notes']);
  });
});
