import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Installs the packages of a directory's lock file, which builds and most tests do not need. Does nothing if they are
 * already installed. Several processes may call it at the same time.
 *
 * @param {string} below a directory of the project, such as `build/tools`
 * @returns {string} its `node_modules`
 */
export function install(below) {
  const directory = join(root, below);
  const installed = join(directory, 'node_modules');
  if (isCurrent(directory)) return installed;
  const fresh = mkdtempSync(join(directory, 'node_modules-'));
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
      if (existsSync(join(directory, name))) copyFileSync(join(directory, name), join(fresh, name));
    }
    const args = [
      'ci',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--loglevel=error',
    ];
    const isWindows = process.platform === 'win32';
    execFileSync('npm', args, { cwd: fresh, stdio: ['ignore', 'ignore', 'inherit'], shell: isWindows });
    copyFileSync(join(fresh, 'package-lock.json'), join(fresh, 'node_modules', lockCopy));
    replace(join(fresh, 'node_modules'), installed, join(fresh, 'before'), directory);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return installed;
}

/** Copy of the lock file from which the packages were installed. */
const lockCopy = '.installed-lock.json';

function isCurrent(directory) {
  try {
    const [wanted, installed] = ['package-lock.json', join('node_modules', lockCopy)].map((name) =>
      readFileSync(join(directory, name), 'utf8'),
    );
    return wanted === installed;
  } catch {
    return false;
  }
}

/** Ignores a failure if another process has installed the same packages meanwhile. */
function replace(from, to, aside, directory) {
  try {
    if (existsSync(to)) renameSync(to, aside);
    renameSync(from, to);
  } catch (error) {
    if (!isCurrent(directory)) throw error;
  }
}
