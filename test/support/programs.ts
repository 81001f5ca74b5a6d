import { accessSync, constants, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const noted = 'not-installed-';
/** Installed by nobody for the project's own checks, so `ORGCTL_TEST_STRICT` does not demand them. */
const optional = ['java', 'pwsh'];

/** The path of a program in PATH. */
export function findProgram(name: string): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  return directories.map((directory) => join(directory, name)).find(isProgram);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether one of the programs is not installed, so that their tests are skipped; the end of the run names it.
 * @throws Error if `ORGCTL_TEST_STRICT` is set, so that nothing goes untested unnoticed
 */
export function isMissing(...names: readonly string[]): boolean {
  const missing = names.filter((name) => findProgram(name) === undefined);
  const demanded = missing.filter((name) => !optional.includes(name));
  if (process.env['ORGCTL_TEST_STRICT'] && demanded.length > 0) {
    throw new Error(`tests need what is not installed: ${demanded.join(', ')}`);
  }
  for (const name of missing) writeFileSync(join(tmpdir(), `${noted}${name}`), '');
  return missing.length > 0;
}

/** What the tests of this run have missed. */
export function readMissing(directory: string): string[] {
  const names = readdirSync(directory).filter((name) => name.startsWith(noted));
  return names.map((name) => name.slice(noted.length)).sort();
}
