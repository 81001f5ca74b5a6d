import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';
import { beforeAll } from 'vitest';

export const root = realpathSync(join(import.meta.dirname, '..', '..'));

/** An executable that these tests are to run in the place of the package. */
const executable = process.env['ORGCTL_TEST_EXECUTABLE'];

/** Whether `orgctl` is the one executable, which has no library, and its compiled code in it. */
export const isStandalone = executable !== undefined;

/** The script of the package, for a Node.js that is given arguments of its own. */
export const script = join(root, 'bin', 'orgctl.js');

/** What `orgctl` is once it is installed: a program and its first arguments. */
export const orgctl: readonly [string, ...string[]] = executable ? [executable] : [process.execPath, script];

const shellCommand = orgctl.map((word) => `'${word}'`).join(' ');

const inputs = ['src', 'build', 'bin', 'package-lock.json'];
const isInput = (path: string) =>
  inputs.includes(path) || /^tsconfig[\w.]*\.json$|^package\.json$/.test(path);
const stamp = join(root, 'dist', '.built-from');

/** Builds before the tests of the calling file, unless what is in `dist/` was built from the sources as they are. */
export function useBuiltTool(): void {
  if (!isStandalone) beforeAll(build, 180_000);
}

/** As `useBuiltTool`, with a directory that has an executable `orgctl`, for a PATH. */
export function useToolOnPath(): string {
  useBuiltTool();
  const directory = mkdtempSync(join(tmpdir(), 'orgctl-test-'));
  beforeAll(() => {
    const path = join(directory, 'orgctl');
    writeFileSync(path, `#!/bin/sh\nexec ${shellCommand} "$@"\n`);
    chmodSync(path, 0o755);
  });
  return directory;
}

async function build(): Promise<void> {
  if (isFresh()) return;
  const lockfilePath = join(root, 'node_modules', '.build.lock');
  // Several files of tests ask for it at once; whoever comes later finds it done.
  const release = await lock(root, { lockfilePath, retries: { retries: 300, factor: 1 } });
  try {
    if (isFresh()) return;
    await promisify(execFile)('npm', ['run', 'build', '--silent'], { cwd: root });
    writeFileSync(stamp, fingerprint());
  } finally {
    await release();
  }
}

function isFresh(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/** Of all that a build is made from, and of the build itself: someone may have built by hand since. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const path of filesOf(root, isInput)) hash.update(path).update(readFileSync(join(root, path)));
  for (const path of filesOf(join(root, 'dist'), () => true)) {
    if (!path.startsWith('.')) hash.update(`${path} ${statSync(join(root, 'dist', path)).mtimeMs}`);
  }
  return hash.digest('hex');
}

/** The files below the entries of a directory that are wanted, each by its path from there, in order. */
function filesOf(directory: string, isWanted: (entry: string) => boolean): string[] {
  const entries = existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : [];
  return entries
    .filter(({ name }) => isWanted(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesOf(join(directory, entry.name), () => true).map((below) => join(entry.name, below))
        : [entry.name],
    )
    .sort();
}
