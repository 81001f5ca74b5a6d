import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, sep } from 'node:path';

/** By convention, the home of users without one; it does not exist. */
const noHome = '/nonexistent';

/** The user's home directory, which may not exist. Never relative. */
export function findHome(): string {
  try {
    return isAbsolute(homedir()) ? homedir() : noHome;
  } catch {
    // HOME is unset, and the system does not know the user ID, as in some containers.
    return noHome;
  }
}

/**
 * Makes a directory and its missing parents (0700), but no home directory. Not `recursive`, with which `mkdir` loops
 * forever below /proc.
 * @returns the directories that it made, innermost first
 * @throws the file system's error; an Error if the home directory is missing
 */
export function makeDirectory(path: string): readonly string[] {
  const home = findHome();
  if (path.startsWith(`${home}${sep}`) && !existsSync(home))
    throw new Error('HOME does not name a directory that exists');
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
