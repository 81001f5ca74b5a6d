import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Whether `dist/` is up to date: `npm run build` notes at its end from which sources it was built, and tests build only
// if it is out of date.

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

/** Covers a build's sources and its output, because part of another build may have run since. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const path of filesOf(root, isInput)) hash.update(path).update(readFileSync(join(root, path)));
  for (const path of filesOf(join(root, 'dist'), () => true)) {
    if (!path.startsWith('.')) hash.update(`${path} ${statSync(join(root, 'dist', path)).mtimeMs}`);
  }
  return hash.digest('hex');
}

/** Sorted relative paths below a directory. Skips installed packages, which other tests may be installing. */
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
