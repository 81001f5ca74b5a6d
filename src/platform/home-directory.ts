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

/** Why nothing can be at a path: the home directory above it is missing. */
export function whyNoHome(path: string): string | undefined {
  const home = findHome();
  if (!path.startsWith(`${home}${sep}`) || existsSync(home)) return undefined;
  return 'HOME does not name a directory that exists';
}

/** Why a file of the user is missing, with its path; `undefined` if it exists. */
export function whyMissing(path: string): string | undefined {
  const homeless = whyNoHome(path);
  if (homeless !== undefined) return `${showPath(path)} cannot exist: ${homeless}`;
  return existsSync(path) ? undefined : `${path} does not exist`;
}

/** The path for messages; with `$HOME` if there is no home directory to name. */
export function showPath(path: string): string {
  const isNamed = findHome() !== noHome || !path.startsWith(`${noHome}${sep}`);
  return isNamed ? path : `$HOME${path.slice(noHome.length)}`;
}

/**
 * Makes a directory and its missing parents (0700), but no home directory. Not `recursive`, with which `mkdir` loops
 * forever below /proc.
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
