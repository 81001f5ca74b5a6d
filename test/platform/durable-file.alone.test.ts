import fs, { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import {
  createPrivately,
  removeDurably,
  replaceFile,
  replacePrivately,
} from '../../src/platform/durable-file.js';
import { readPrivate } from '../../src/platform/own-file.js';
import { profileStore } from '../../src/profiles/file/store.js';
import { changeMasterKey } from '../../src/server/data/rotate-master-key.js';
import { startServer } from '../../src/server/index.js';
import { backUpData } from '../../src/server/maintenance/backup-data.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { type Synced, watchSyncs } from '../support/watch-syncs.js';

/** Whether the file's content was synced before it had its name, and its name after that. */
function isDurable(synced: readonly Synced[], file: string): boolean {
  const content = synced.findIndex(({ path }) => path.startsWith(`${file}.`));
  const name = synced.findLastIndex(
    ({ path, names }) => path === dirname(file) && names.includes(basename(file)),
  );
  return content !== -1 && content < name;
}

/** From now on, no directory can be synced. */
function failSyncsOfDirectories() {
  const { fsync } = fs;
  vi.spyOn(fs, 'fsync').mockImplementation((descriptor, done) =>
    fs.fstatSync(descriptor).isDirectory()
      ? done(Object.assign(new Error('EIO'), { code: 'EIO' }))
      : fsync(descriptor, done),
  );
  syncBuiltinESMExports();
}

describe('a file that is replaced', () => {
  it('is for its owner alone, and the last of many at once', async () => {
    const path = join(temporaryDirectory(), 'file');
    await writeFile(path, 'before', { mode: 0o644 });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => replacePrivately(path, `${index}`.repeat(1000))),
    );
    expect(await readFile(path, 'utf8')).toMatch(/^(\d\d?)\1{999}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(path))).toEqual(['file']);
  });

  it('is still there when it cannot be replaced, and nothing beside it', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'file');
    await writeFile(join(directory, 'other'), 'x');
    await replacePrivately(path, 'before');
    await expect(replacePrivately(join(path, 'below'), 'x')).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(replacePrivately(join(directory, 'x'.repeat(300)), 'x')).rejects.toMatchObject({
      code: 'ENAMETOOLONG',
    });
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect((await readdir(directory)).toSorted()).toEqual(['file', 'other']);
    // Nor is one taken for removed whose directory is gone.
    await expect(removeDurably(join(directory, 'none', 'x'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a file that is created', () => {
  it('is for its owner alone, whatever the mask', async () => {
    const path = join(temporaryDirectory(), 'file');
    const before = process.umask(0);
    try {
      await createPrivately(path, 's3cret');
    } finally {
      process.umask(before);
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readPrivate(path, 100)).toMatchObject({ text: 's3cret', problem: undefined });
  });

  it('is never one that is there, whoever put it there and holds it open, nor what a link leads to', async () => {
    const directory = temporaryDirectory();
    const elsewhere = join(directory, 'elsewhere');
    await symlink(elsewhere, join(directory, 'dangling'));
    await writeFile(join(directory, 'planted'), '', { mode: 0o666 });
    await symlink(join(directory, 'planted'), join(directory, 'link'));
    await mkdir(join(directory, 'directory'));
    for (const name of ['dangling', 'planted', 'link', 'directory']) {
      const creation = createPrivately(join(directory, name), 's3cret');
      await expect(creation, name).rejects.toMatchObject({ code: 'EEXIST' });
    }
    expect(readFileSync(join(directory, 'planted'), 'utf8')).toBe('');
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('is not left behind where it cannot be written', async () => {
    const path = join(temporaryDirectory(), 'file');
    vi.spyOn(fs, 'fsync').mockImplementation((_descriptor, done) => done(new Error('full')));
    syncBuiltinESMExports();
    await expect(createPrivately(path, 's3cret')).rejects.toThrow('full');
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it('takes the place of what another user holds open, and is not written to it', async () => {
    const path = join(temporaryDirectory(), 'file');
    await writeFile(path, 'planted', { mode: 0o666 });
    if (process.getuid?.() === 0) await chown(path, 65_534, 65_534);
    const held = fs.openSync(path, 'r+');
    await replacePrivately(path, 's3cret');
    expect(readFileSync(held, 'utf8')).toBe('planted');
    fs.closeSync(held);
    expect(await readPrivate(path, 100)).toMatchObject({ text: 's3cret', problem: undefined });
  });
});

describe('a file that is read', () => {
  it.each([
    [0o644, 'other users can access it (mode 644)'],
    [0o620, 'other users can access it (mode 620)'],
    [0o600, undefined],
    [0o400, undefined],
  ])('has its mode looked at: %i', async (mode, problem) => {
    const path = join(temporaryDirectory(), 'file');
    await writeFile(path, 'text', { mode: 0o600 });
    await chmod(path, mode);
    expect(await readPrivate(path, 100)).toMatchObject({ text: 'text', problem });
  });

  it.runIf(process.getuid?.() === 0)('has its owner looked at', async () => {
    const path = join(temporaryDirectory(), 'file');
    await writeFile(path, 'text', { mode: 0o600 });
    await chown(path, 65_534, 65_534);
    expect(await readPrivate(path, 100)).toMatchObject({ problem: 'it belongs to another user (65534)' });
  });

  it('is no link, no device, and not too long', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'file');
    await writeFile(path, 'text', { mode: 0o600 });
    await symlink(path, join(directory, 'link'));
    await expect(readPrivate(join(directory, 'link'), 100)).rejects.toMatchObject({ code: 'ELOOP' });
    expect(await readPrivate('/dev/zero', 100)).toMatchObject({
      text: '',
      problem: 'it is not a regular file',
    });
    await expect(readPrivate(path, 3)).rejects.toThrow('it has 4 bytes, more than the limit of 3');
  });
});

// Files made in any other way would follow links, and be written to where somebody else has put one.
it('nothing in the sources makes a file with content, except src/platform/durable-file.ts', () => {
  const root = fileURLToPath(new URL('../../src', import.meta.url));
  const makers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && path !== 'platform/durable-file.ts')
    .filter((path) =>
      /\b(?:writeFile|appendFile)(?:Sync)?\(|\bcreateWriteStream\(|\bopen(?:Sync)?\([^)\n]*'(?:w|a|wx|ax|w\+|a\+)'/.test(
        readFileSync(join(root, path), 'utf8'),
      ),
    );
  expect(makers.sort()).toEqual([
    // The log of a server in the background, in its own data directory.
    'commands/serve/detach.ts',
  ]);
});

describe.runIf(process.platform === 'linux')('on the disk before anything relies on it is', () => {
  it('every file of a server, and the removal of one', async () => {
    const data = temporaryDirectory();
    const synced = watchSyncs();
    await (await startServer({ data })).close();
    for (const name of ['master.key', 'ca.pem', 'server.pem', 'server-key.pem']) {
      expect(isDurable(synced, join(data, name)), name).toBe(true);
    }
    synced.length = 0;
    await removeDurably(join(data, 'ca.pem'));
    expect(synced).toMatchObject([{ path: data, names: expect.not.arrayContaining(['ca.pem']) }]);
  });

  it('a new master key and a backup, before and after they have their places', async () => {
    const data = temporaryDirectory();
    await (await startServer({ data, http: true })).close();
    const synced = watchSyncs();
    await changeMasterKey({ data });
    expect(isDurable(synced, join(data, 'master.key'))).toBe(true);
    const directory = temporaryDirectory();
    await backUpData({ data, file: join(directory, 'b.db') });
    const content = synced.findLastIndex(({ path }) => path.startsWith(`${directory}/`));
    expect(content).toBeGreaterThan(-1);
    expect(synced.slice(content + 1)).toMatchObject([
      { path: directory, names: expect.arrayContaining(['b.db']) },
    ]);
  });

  it('a profile', async () => {
    const directory = temporaryDirectory();
    const synced = watchSyncs();
    const env = { ORGCTL_CONFIG_DIR: directory };
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    await store.add('a', { baseUrl: 'https://a.example', keyId: 'key_a', secret: 'x' });
    expect(isDurable(synced, join(directory, 'profiles.json'))).toBe(true);
  });

  it('profiles whose directory cannot be synced are an error', async () => {
    const env = { ORGCTL_CONFIG_DIR: temporaryDirectory() };
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    failSyncsOfDirectories();
    const profile = { baseUrl: 'https://api.example.com', keyId: 'key_a', secret: 's' };
    await expect(store.add('prod', profile)).rejects.toMatchObject({
      message: `${store.path()} cannot be written: EIO`,
      details: { hint: expect.not.stringContaining('unchanged') },
    });
  });
});

it('replaces no file that is open as a stream: its later output would be lost', async () => {
  const path = join(temporaryDirectory(), 'output');
  const file = await open(path, 'w');
  try {
    await file.write('first');
    await expect(replaceFile(`/dev/fd/${file.fd}`, 'plan')).rejects.toThrow('it is not a file');
    await file.write(', second');
  } finally {
    await file.close();
  }
  expect(readFileSync(path, 'utf8')).toBe('first, second');
});
