import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createPrivately, replacePrivately } from '../../src/platform/durable-file.js';
import { startServer } from '../../src/server/index.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { type Synced, watchSyncs } from './support/watch-syncs.js';

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
    expect(await readFile(path, 'utf8')).toBe('s3cret');
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
  it('every file of a server', async () => {
    const data = temporaryDirectory();
    const synced = watchSyncs();
    await (await startServer({ data })).close();
    for (const name of ['master.key', 'ca.pem', 'server.pem', 'server-key.pem']) {
      expect(isDurable(synced, join(data, name)), name).toBe(true);
    }
  });
});
