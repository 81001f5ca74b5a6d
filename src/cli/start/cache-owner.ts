import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../platform/make-directory.js';

/** What decides where compiled code is kept, and who may have written it. */
export interface CacheOwner {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The effective user; absent on Windows, where the directory is in a place that only its user can write. */
  geteuid?(): number;
}

// V8 executes what is in these files unchecked, so only their owner may have been able to write them.
const privateMode = 0o600;

/** Makes the directory (0700) where it is not there. @throws what the file system says, as when the home is read-only */
export function makePrivate(directory: string): void {
  makeDirectory(directory);
}

/**
 * Whether nobody but this user can have put something there: a directory of this user's own, that neither its group nor
 * others can write.
 *
 * @throws what the file system says, as when it is not there
 */
export function isPrivate(directory: string, owner: CacheOwner): boolean {
  const found = lstatSync(directory);
  const closed = owner.geteuid === undefined || (found.mode & 0o022) === 0;
  return found.isDirectory() && closed && belongsTo(owner, found);
}

/** Opens a file for reading, not through a symbolic link. @throws what the file system says */
export function openPlain(path: string): number {
  // O_NONBLOCK: a FIFO would otherwise be waited for.
  return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
}

/** Whether an open file is a regular one (0600) of this user's own. */
export function isPrivateFile(found: Stats, owner: CacheOwner): boolean {
  const closed = owner.geteuid === undefined || (found.mode & 0o777) === privateMode;
  return found.isFile() && closed && belongsTo(owner, found);
}

/**
 * Writes a file (0600) under a temporary name, and renames it once it is on the disk: neither a reader nor a power cut
 * sees half of it.
 *
 * @param id of this process, for a temporary name of its own
 * @throws what the file system says
 */
export function replaceWhole(path: string, id: number, write: (file: number) => void): void {
  const temporary = `${path}.${id}`;
  // Left by a killed process that had the same ID.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', privateMode);
  try {
    write(file);
    fsyncSync(file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Whether the effective user owns it. */
function belongsTo(owner: CacheOwner, { uid }: { readonly uid: number }): boolean {
  return owner.geteuid === undefined || owner.geteuid() === uid;
}

// Files of another build or Node version that were not updated for so long are obsolete.
const longestUnchanged = 30 * 24 * 60 * 60 * 1000;

/** Removes files with this prefix that were not changed for 30 days. @throws what the file system says */
export function removeAbandoned(directory: string, prefix: string): void {
  const now = Date.now();
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (name.startsWith(prefix) && now - statSync(path).mtimeMs > longestUnchanged) rmSync(path);
  }
}
