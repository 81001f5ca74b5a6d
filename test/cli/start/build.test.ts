import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BuildProcess, openBuild } from '../../../src/cli/start/build.js';
import { isPrivateFile } from '../../../src/cli/start/cache-owner.js';
import { temporaryDirectory } from '../../support/run-cli.js';

const require = createRequire(import.meta.url);

interface House {
  readonly cacheDirectory: string;
  /** Loads a file of a build as one run of the tool does, and returns its exports. */
  run(files: Readonly<Record<string, string>>, options?: RunOptions): unknown;
  /** The cache's file; there is at most one. */
  cacheFile(): string;
}

interface RunOptions {
  readonly load?: string;
  /** Whether the cache is made to say that its code is of these files. */
  readonly relabelled?: boolean;
  readonly system?: Partial<BuildProcess>;
}

const entry = 'entry-AAAAAAAA.cjs';

/** A home of its own. */
function house(): House {
  const home = temporaryDirectory();
  const cacheDirectory = join(home, '.cache', 'orgctl');
  const cacheName = () => readdirSync(cacheDirectory)[0] ?? 'nothing';
  const ownProcess: BuildProcess = {
    env: { HOME: home },
    platform: 'linux',
    version: 'v20.20.2',
    arch: 'x64',
    pid: 1,
    geteuid: () => statSync(home).uid,
  };
  return {
    cacheDirectory,
    run(files, { load = entry, system = {}, relabelled = true } = {}) {
      const directory = temporaryDirectory();
      if (relabelled && existsSync(cacheDirectory)) relabel(join(cacheDirectory, cacheName()), files);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
      const build = openBuild({ directory, system: { ...ownProcess, ...system }, require });
      const loaded = build.load(load);
      build.remember();
      return loaded;
    },
    cacheFile: () => join(cacheDirectory, cacheName()),
  };
}

/** Puts the sources in the place of those that say another value, which are as long. V8 does not see the difference. */
function relabel(path: string, files: Readonly<Record<string, string>>): void {
  if (!existsSync(path)) return;
  const before = readFileSync(path, 'latin1');
  let content = before;
  for (const text of Object.values(files)) {
    for (const other of ['value = 1', 'value = 2']) {
      if (text !== '') content = content.replaceAll(text.replace(/value = \d/, other), text);
    }
  }
  if (content !== before) writeFileSync(path, content, 'latin1');
}

function indexEnd(cache: Buffer): number {
  return 4 + cache.readUInt32LE();
}

// Of one name and length, and `run` relabels the cache: so the value tells whether compiled code was used.
const first = { [entry]: 'exports.value = 1;' };
const second = { [entry]: 'exports.value = 2;' };
const usedCache = { value: 1 };
const compiledAnew = { value: 2 };

it('the files of a build load each other, also in a circle, run once, and have true positions', () => {
  const other = 'other-BBBBBBBB.cjs';
  const { run } = house();
  const loaded = run({
    [entry]: `exports.name = 'entry'; exports.other = require('./${other}'); exports.again = require('./${other}');`,
    [other]: `exports.seen = require('./${entry}').name;
      exports.sep = require('node:path').sep;
      exports.place = __filename.slice(__dirname.length + 1);
      exports.stack = new Error().stack.split('\\n')[1];`,
  });
  const stack = expect.stringContaining('other-BBBBBBBB.cjs:4:23');
  const seen = { seen: 'entry', sep: require('node:path').sep, place: other, stack };
  expect(loaded).toEqual({ name: 'entry', other: seen, again: seen });
  expect(loaded).toSatisfy((one: { other: unknown; again: unknown }) => one.other === one.again);
});

describe('compiled code', () => {
  it('is kept in a file of this user alone, used by the next run, and not written again', () => {
    const { run, cacheDirectory, cacheFile } = house();
    expect(run(first)).toEqual({ value: 1 });
    const { ino, mode } = statSync(cacheFile());
    expect([statSync(cacheDirectory).mode & 0o777, mode & 0o777]).toEqual([0o700, 0o600]);
    run(first);
    expect(statSync(cacheFile()).ino).toBe(ino);
    expect(run(second)).toEqual(usedCache);
  });

  it('is added to by a run that loads other files, and keeps the rest', () => {
    const { run } = house();
    const other = (value: number) => ({ 'other-BBBBBBBB.cjs': `exports.value = ${value};` });
    const load = 'other-BBBBBBBB.cjs';
    run({ ...first, ...other(1) });
    run({ ...first, ...other(1) }, { load });
    expect(run({ ...second, ...other(2) }, { load })).toEqual(usedCache);
    expect(run({ ...second, ...other(2) })).toEqual(usedCache);
  });

  it('is never used for a source other than its own, be it as long', () => {
    const { run } = house();
    run(first);
    expect(run(second, { relabelled: false })).toEqual(compiledAnew);
    expect(run(first)).toEqual({ value: 2 });
  });

  it('is never used for a file that is not named by what it holds', () => {
    const { run } = house();
    const load = 'command-line.cjs';
    run({ [load]: 'exports.value = 1;' }, { load });
    expect(run({ [load]: 'exports.value = 2;' }, { load })).toEqual(compiledAnew);
  });

  it('is not kept where NODE_DISABLE_COMPILE_CACHE is set', () => {
    const { run, cacheDirectory } = house();
    const env = { HOME: join(cacheDirectory, '..', '..') };
    run(first, { system: { env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' } } });
    expect(existsSync(cacheDirectory)).toBe(false);
    run(first, { system: { env } });
    expect(run(second, { system: { env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' } } })).toEqual(
      compiledAnew,
    );
  });

  it('is thrown away when it belongs to an older Node', () => {
    const { run } = house();
    run(first);
    expect(run(second, { system: { version: 'v20.19.0' } })).toEqual(compiledAnew);
  });

  it('of a build that nobody uses any more is removed', () => {
    const { run, cacheDirectory } = house();
    mkdirSync(cacheDirectory, { recursive: true, mode: 0o700 });
    const days = (count: number) => Date.now() / 1000 - count * 24 * 60 * 60;
    for (const [name, age] of Object.entries({ 'code-old': 31, 'code-recent': 29, other: 31 })) {
      writeFileSync(join(cacheDirectory, name), '');
      utimesSync(join(cacheDirectory, name), days(age), days(age));
    }
    run(first);
    const own = expect.stringMatching(/^code-0.*-v20/);
    expect(readdirSync(cacheDirectory).sort()).toEqual([own, 'code-recent', 'other']);
  });
});

function replaceByLink(path: string): undefined {
  renameSync(path, `${path}.elsewhere`);
  symlinkSync(`${path}.elsewhere`, path);
}

describe('compiled code that another user could have written', () => {
  it.each<[string, (house: House) => RunOptions | undefined]>([
    ['a file that others can read', ({ cacheFile }) => void chmodSync(cacheFile(), 0o644)],
    ['a file that others can write', ({ cacheFile }) => void chmodSync(cacheFile(), 0o602)],
    ['a directory that its group can write', ({ cacheDirectory }) => void chmodSync(cacheDirectory, 0o770)],
    ['a directory that everybody can write', ({ cacheDirectory }) => void chmodSync(cacheDirectory, 0o1777)],
    ['a link in place of the file', ({ cacheFile }) => replaceByLink(cacheFile())],
    ['a link in place of the directory', ({ cacheDirectory }) => replaceByLink(cacheDirectory)],
    ['a file and a directory of another user', () => ({ system: { geteuid: () => 4711 } })],
  ])('is not executed: %s', (_name, change) => {
    const own = house();
    own.run(first);
    expect(own.run(second, change(own))).toEqual(compiledAnew);
  });
});

it('a compiled file is executed if it is a private file of this user, whoever the directory belongs to', () => {
  const own = house();
  own.run(first);
  const found = statSync(own.cacheFile());
  const as = (uid: number) => ({ env: {}, platform: process.platform, geteuid: () => uid });
  expect(isPrivateFile(found, as(found.uid))).toBe(true);
  expect(isPrivateFile(found, as(found.uid + 1))).toBe(false);
});

describe('a cache that is of no use', () => {
  it.each<[string, (path: string) => void]>([
    ['empty', (path) => truncateSync(path, 0)],
    ['cut in the code', (path) => truncateSync(path, statSync(path).size - 1)],
    ['longer than it says', (path) => writeFileSync(path, 'more', { flag: 'a' })],
    ['of another kind', (path) => writeFileSync(path, '{"some":"thing else"}')],
  ])('is written anew: %s', (_name, damage) => {
    const { run, cacheFile } = house();
    run(first);
    damage(cacheFile());
    expect(run(second)).toEqual(compiledAnew);
    expect(run(first)).toEqual({ value: 2 });
  });

  it('is removed, not executed, when any bit of it is another', () => {
    const { run, cacheFile } = house();
    const files = { [entry]: `const double = (value) => 2 * value; exports.value = double(21);` };
    run(files);
    const whole = readFileSync(cacheFile());
    for (let at = 0; at < whole.length; at += 23) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (at % 8)), at);
      writeFileSync(cacheFile(), damaged);
      expect([at, run(files, { relabelled: false })]).toEqual([at, { value: 42 }]);
      // That of what runs were kept is wrong is no damage to what is executed.
      if (at > indexEnd(whole)) expect(readFileSync(cacheFile()).equals(damaged)).toBe(false);
    }
  });

  it('is not waited for when it is a FIFO, and replaced', () => {
    const { run, cacheFile } = house();
    run(first);
    const path = cacheFile();
    rmSync(path);
    execFileSync('mkfifo', ['-m', '600', path]);
    expect(run(second, { relabelled: false })).toEqual(compiledAnew);
    expect(statSync(path).isFile()).toBe(true);
  });

  it('changes nothing where it cannot be written', () => {
    const { run, cacheDirectory } = house();
    writeFileSync(join(cacheDirectory, '..', '..', '.cache'), 'a file where a directory should be');
    expect(run(second)).toEqual(compiledAnew);
    expect(readFileSync(join(cacheDirectory, '..'), 'utf8')).toContain('a file');
  });
});
