import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../platform-directories.js';
import { belongsTo, type CacheOwner, isPrivate, makePrivate, removeAbandoned } from './cache-owner.js';

/** Whose files they are, and which process writes them. */
export interface TakingProcess extends CacheOwner {
  readonly pid: number;
}

// What is executed as it is, only its owner may have been able to write.
const privateMode = 0o600;

/**
 * Puts a native module that an executable has in it where the system can load it: into the directory for what can be
 * made again, once. A file that is there is taken only when it is this user's alone and holds the same bytes; so neither
 * another user, nor a process that was killed while it wrote, nor two that write at once can have anything else loaded.
 *
 * @param name says which bytes they are: no other build has a module of that name
 * @returns its path
 * @throws Error when there is no directory of this user's alone, and what the file system says
 */
export function takeOut(name: string, bytes: Buffer, owner: TakingProcess): string {
  const directory = cacheDirectory(owner);
  if (directory === undefined) throw new Error('no home directory is known to keep it in');
  makePrivate(directory);
  if (!isPrivate(directory, owner)) throw new Error(`${directory} can be written by others, too`);
  const path = join(directory, name);
  if (!holds(path, bytes, owner)) {
    write(path, bytes, owner.pid);
    removeAbandoned(directory, 'keyring-');
  }
  return path;
}

function holds(path: string, bytes: Buffer, owner: CacheOwner): boolean {
  const file = openIfThere(path);
  if (file === undefined) return false;
  try {
    const found = fstatSync(file);
    const isPrivateFile = owner.geteuid === undefined || (found.mode & 0o777) === privateMode;
    if (!found.isFile() || !belongsTo(owner, found) || !isPrivateFile || found.size !== bytes.length)
      return false;
    return readFileSync(file).equals(bytes);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    // A FIFO would otherwise be waited for.
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
}

/** Under a name of this process's own first: a reader never sees half of it. */
function write(path: string, bytes: Buffer, id: number): void {
  const temporary = `${path}.${id}`;
  // Left by a process of the same number that was killed.
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', privateMode);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(file, bytes, written);
    fsyncSync(file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
