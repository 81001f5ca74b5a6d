import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, sep } from 'node:path';

/** By convention, the home of users without a home directory; it does not exist. */
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

/** Why nothing can be at a path below the home directory: that directory is missing. */
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

/** The path for messages: it begins with `$HOME` if there is no home directory to name. */
export function showPath(path: string): string {
  const isNamed = findHome() !== noHome || !path.startsWith(`${noHome}${sep}`);
  return isNamed ? path : `$HOME${path.slice(noHome.length)}`;
}
