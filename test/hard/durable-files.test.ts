import fs, { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPrivately, replacePrivately } from '../../src/platform/durable-file.js';
import { startServer } from '../../src/server/index.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

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

const service = useService();

/** Where the content was synced, and after it the directory with the file's name; -1 for what was not. */
function syncsOf(synced: readonly Synced[], file: string): readonly [content: number, name: number] {
  // Under a temporary name, perhaps in a directory of its own.
  const content = synced.findIndex(({ path }) => path.startsWith(`${dirname(file)}/`));
  const name = synced.findLastIndex(
    ({ path, names }) => path === dirname(file) && names.includes(basename(file)),
  );
  return [content, name];
}

function newProfile(env: Readonly<Record<string, string | undefined>>) {
  const place = ['--base-url', 'https://api.example.com', '--key-id', 'key_a'];
  return runCli(['profile', 'add', 'prod', ...place, '--secret-stdin', '--no-verify'], { env, stdin: 'x' });
}

describe.runIf(process.platform === 'linux')('on the disk before a command ends are', () => {
  it('a profile, content before name', async () => {
    const env = emptyEnvironment();
    const synced = watchSyncs();
    expect(await newProfile(env)).toMatchObject({ code: 0 });
    const [content, name] = syncsOf(synced, join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json'));
    expect(content).not.toBe(-1);
    expect(name).toBeGreaterThan(content);
  });

  it('the secret of a new key', async () => {
    const cwd = temporaryDirectory();
    const synced = watchSyncs();
    const line = ['api-keys', 'create', '--name', 'ci', '--secret-file', 'ci.secret'];
    expect(await runCli(line, { env: service.environment(), cwd })).toMatchObject({ code: 0 });
    expect(syncsOf(synced, join(cwd, 'ci.secret'))).not.toContain(-1);
  });
});

it.each(['ENOSPC', 'EDQUOT'])(
  'a file that finds no room (%s) is exit 3, and is not left behind',
  async (code) => {
    const cwd = temporaryDirectory();
    vi.spyOn(fs, 'fsync').mockImplementation((_descriptor, done) =>
      done(Object.assign(new Error('full'), { code })),
    );
    syncBuiltinESMExports();
    const ended = await runCli(['export', 'org.yaml'], { env: service.environment(), cwd });
    expect(ended).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('free some space') });
    expect(existsSync(join(cwd, 'org.yaml'))).toBe(false);
  },
);
