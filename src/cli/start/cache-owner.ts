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

/** The user who owns cached code, and the environment that says where it is. */
export interface CacheOwner {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Absent on Windows, where only the user can write to the directory. */
  geteuid?(): number;
}

// These files are executed unchecked, so only their owner may write them.
const privateMode = 0o600;

/** Creates a missing directory (0700). @throws file system errors, such as for a read-only home */
export function makePrivate(directory: string): void {
  makeDirectory(directory);
}

/** Whether a directory belongs to this user, and only this user can write to it. @throws file system errors */
export function isPrivate(directory: string, owner: CacheOwner): boolean {
  const found = lstatSync(directory);
  const closed = owner.geteuid === undefined || (found.mode & 0o022) === 0;
  return found.isDirectory() && closed && belongsTo(owner, found);
}

/** Opens a file for reading; refuses symbolic links, except on Windows. @throws file system errors */
export function openPlain(path: string): number {
  // Without O_NONBLOCK, opening a FIFO would block.
  return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
}

/** Whether an open file is regular, private (0600) and belongs to this user. */
export function isPrivateFile(found: Stats, owner: CacheOwner): boolean {
  const closed = owner.geteuid === undefined || (found.mode & 0o777) === privateMode;
  return found.isFile() && closed && belongsTo(owner, found);
}

/** Writes a private file, synced and renamed: readers see all or nothing. @param id process ID */
export function replaceWhole(path: string, id: number, write: (file: number) => void): void {
  const temporary = `${path}.${id}`;
  // Left by a killed process with the same ID.
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

function belongsTo(owner: CacheOwner, { uid }: { readonly uid: number }): boolean {
  return owner.geteuid === undefined || owner.geteuid() === uid;
}

// Milliseconds after which files of other builds and Node.js versions count as unused.
const longestUnchanged = 30 * 24 * 60 * 60 * 1000;

/** Removes files with this prefix that have not changed for 30 days. @throws file system errors */
export function removeAbandoned(directory: string, prefix: string): void {
  const now = Date.now();
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (name.startsWith(prefix) && now - statSync(path).mtimeMs > longestUnchanged) rmSync(path);
  }
}
