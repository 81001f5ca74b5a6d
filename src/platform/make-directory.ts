import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { whyNoHome } from './home-directory.js';

/**
 * Makes a directory and its missing parents (0700), but no home directory. Avoids `mkdir`'s `recursive`, which loops
 * forever below /proc or an absent automounted home.
 * @throws the file system's error; an Error if the home directory is missing
 */
export function makeDirectory(path: string): void {
  const missing = whyNoHome(path);
  if (missing !== undefined) throw new Error(missing);
  makeMissing(path);
}

function makeMissing(path: string): void {
  const parent = dirname(path);
  // A missing drive is its own parent.
  if (parent !== path && !existsSync(parent)) makeMissing(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it, or it exists on a read-only drive.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
