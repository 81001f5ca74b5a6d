import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, sep } from 'node:path';

/** By convention, the home of users without a home directory; it does not exist. */
const noHome = '/nonexistent';

/** The user's home directory, which may not exist. Never relative. */
export function findHome(): string {
  const home = readHome();
  return home !== undefined && isAbsolute(home) ? home : noHome;
}

/** Why the home directory above a path is missing, such as "the home directory /home/ada does not exist". */
export function whyNoHome(path: string): string | undefined {
  if (!path.startsWith(`${findHome()}${sep}`)) return undefined;
  const home = readHome();
  if (home === undefined) return 'HOME is not set, and this user has no home directory';
  if (home === '') return 'HOME is empty';
  if (!isAbsolute(home)) return `the home directory ${JSON.stringify(home)} is not an absolute path`;
  return existsSync(home) ? undefined : `the home directory ${home} does not exist`;
}

/** Why a file of the user is missing, with its path; `undefined` if it exists. */
export function whyMissing(path: string): string | undefined {
  const homeless = whyNoHome(path);
  if (homeless !== undefined) return `${showPath(path)} cannot exist: ${homeless}`;
  return existsSync(path) ? undefined : `${showPath(path)} does not exist`;
}

/** The path for messages: it begins with `$HOME` if there is no home directory to name. */
export function showPath(path: string): string {
  return readHome() !== noHome && path.startsWith(`${noHome}${sep}`)
    ? `$HOME${path.slice(noHome.length)}`
    : path;
}

function readHome(): string | undefined {
  try {
    return homedir();
  } catch {
    // HOME is unset, and the system does not know the user ID, as in some containers.
    return undefined;
  }
}
