import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { whyNoHome } from './home-directory.js';

/**
 * Makes a directory and its missing parents (0700), but no home directory. Avoids `mkdir`'s `recursive`, which loops
 * forever below /proc or an absent automounted home.
 * @returns the directories that it made, innermost first
 * @throws the file system's error; an Error if the home directory is missing
 */
export function makeDirectory(path: string): readonly string[] {
  const missing = whyNoHome(path);
  if (missing !== undefined) throw new Error(missing);
  return makeMissing(path);
}

function makeMissing(path: string): readonly string[] {
  const parent = dirname(path);
  // A missing drive is its own parent.
  const above = parent !== path && !existsSync(parent) ? makeMissing(parent) : [];
  try {
    mkdirSync(path, { mode: 0o700 });
    return [path, ...above];
  } catch (error) {
    // Another process may have created it, or it exists on a read-only drive.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return above;
    throw error;
  }
}
