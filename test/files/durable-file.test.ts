import fs, { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { removeDurably, replacePrivately } from '../../src/files/durable-file.js';
import { profileStore } from '../../src/profiles/store.js';
import { changeMasterKey } from '../../src/server/data/rotate-master-key.js';
import { startServer } from '../../src/server/index.js';
import { temporaryDirectory } from '../support/run-cli.js';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

interface Synced {
  readonly path: string;
  /** What a directory held when it was synced. */
  readonly names: readonly string[];
}

/** Notes what is synced from now on, by the names that Linux has for open files. */
function watchSyncs(): Synced[] {
  const synced: Synced[] = [];
  const note = (descriptor: number) => {
    const path = readlinkSync(`/proc/self/fd/${descriptor}`);
    synced.push({ path, names: statSync(path).isDirectory() ? readdirSync(path) : [] });
  };
  const { fsync, fsyncSync } = fs;
  vi.spyOn(fs, 'fsync').mockImplementation((descriptor, done) =>
    fsync(descriptor, (error) => {
      if (error === null) note(descriptor);
      done(error);
    }),
  );
  // What conf writes by; it takes the function when it is loaded.
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    fsyncSync(descriptor);
    note(descriptor);
  });
  syncBuiltinESMExports();
  return synced;
}

/** Whether the file's content was synced before it had its name, and its name after that. */
function isDurable(synced: readonly Synced[], file: string): boolean {
  const content = synced.findIndex(({ path }) => path.startsWith(`${file}.`));
  const name = synced.findLastIndex(
    ({ path, names }) => path === dirname(file) && names.includes(basename(file)),
  );
  return content !== -1 && content < name;
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

  it('whose directory is gone is not taken for removed', async () => {
    await expect(removeDurably(join(temporaryDirectory(), 'none', 'x'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
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
  });
});

describe.runIf(process.platform === 'linux')('on the disk before anything relies on it is', () => {
  it('every file of a server, and the removal of one', async () => {
    const data = temporaryDirectory();
    const synced = watchSyncs();
    await (await startServer({ data })).close();
    for (const name of ['master.key', 'ca.pem', 'ca-key.pem', 'server.pem', 'server-key.pem']) {
      expect(isDurable(synced, join(data, name)), name).toBe(true);
    }
    synced.length = 0;
    await removeDurably(join(data, 'ca.pem'));
    expect(synced).toMatchObject([{ path: data, names: expect.not.arrayContaining(['ca.pem']) }]);
  });

  it('a new master key, before and after it has its place', async () => {
    const data = temporaryDirectory();
    await (await startServer({ data, http: true })).close();
    const synced = watchSyncs();
    await changeMasterKey({ data });
    expect(isDurable(synced, join(data, 'master.key.new'))).toBe(true);
    expect(synced.at(-1)).toMatchObject({
      path: data,
      names: expect.not.arrayContaining(['master.key.new']),
    });
  });

  it('a profile', async () => {
    const directory = temporaryDirectory();
    const synced = watchSyncs();
    const env = { ORGCTL_CONFIG_DIR: directory };
    const store = profileStore({ env, platform: process.platform, homedir: '/' });
    await store.add('a', { baseUrl: 'https://a.example', keyId: 'key_a', secret: 'x' });
    expect(isDurable(synced, join(directory, 'profiles.json'))).toBe(true);
  });
});
