import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Builds once before the tests, if a source is newer than what the build writes last. */
export function setup(): void {
  const built = statSync(join(root, 'dist', 'llms.txt'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ['src', 'build', 'bin'].flatMap((directory) => [
    directory,
    ...readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(directory, path),
    ),
  ]);
  const changed = [...sources, 'package.json'].map((path) => statSync(join(root, path)).mtimeMs);
  if (Math.max(...changed) < built) return;
  const isWindows = process.platform === 'win32';
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: 'inherit', shell: isWindows });
}
