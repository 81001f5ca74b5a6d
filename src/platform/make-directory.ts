import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory that only its owner can use (0700), and missing parents. One that is there is left as it is.
 *
 * Not `recursive` of `mkdir`: where the system says of a directory below one that is there that it cannot be found, as
 * below /proc and an automounted home that is not there, Node tries again for ever, and no signal ends that.
 *
 * @throws what the file system says
 */
export function makeDirectory(path: string): void {
  const parent = dirname(path);
  // A drive that is not there is its own parent.
  if (parent !== path && !existsSync(parent)) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Also one that another process has made meanwhile, and a drive or a file system that cannot be written.
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
