import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Mode 0700. Not `mkdir`'s `recursive`, which loops forever below /proc or an absent automounted home. */
export function makeDirectory(path: string): void {
  const parent = dirname(path);
  // A drive that is not there is its own parent.
  if (parent !== path && !existsSync(parent)) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it, or it is a drive that cannot be written.
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
