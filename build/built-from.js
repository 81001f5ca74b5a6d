import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Whether `dist/` is what a build of these sources wrote: `npm run build` notes it at its end, and tests build only where
// that no longer holds.

const root = fileURLToPath(new URL('..', import.meta.url));
const inputs = ['src', 'build', 'bin', 'package-lock.json'];
const isInput = (path) => inputs.includes(path) || /^tsconfig[\w.]*\.json$|^package\.json$/.test(path);
const stamp = join(root, 'dist', '.built-from');

export function noteBuild() {
  writeFileSync(stamp, fingerprint());
}

export function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/** Of a build's sources and output: part of a build may have run since. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const path of filesOf(root, isInput)) hash.update(path).update(readFileSync(join(root, path)));
  for (const path of filesOf(join(root, 'dist'), () => true)) {
    if (!path.startsWith('.')) hash.update(`${path} ${statSync(join(root, 'dist', path)).mtimeMs}`);
  }
  return hash.digest('hex');
}

/** Sorted relative paths below a directory; other tests install packages meanwhile. */
function filesOf(directory, isWanted) {
  const entries = existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : [];
  return entries
    .filter(({ name }) => isWanted(name) && !name.startsWith('node_modules'))
    .flatMap((entry) =>
      entry.isDirectory()
        ? filesOf(join(directory, entry.name), () => true).map((below) => join(entry.name, below))
        : [entry.name],
    )
    .sort();
}
