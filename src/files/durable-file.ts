import { randomBytes } from 'node:crypto';
import { fsync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { systemCodeOf } from '../errors.js';

/**
 * Replaces a file by one that only its owner can read (0600 from the moment it exists), whole or not at all. It and its
 * name are on the disk when this returns. A kill can leave `PATH.….tmp`, which nothing reads.
 * @throws what the file system says; what was there is then still there.
 */
export async function replacePrivately(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeSynced(temporary, 'wx', text);
    await renameDurably(temporary, path);
  } catch (error) {
    // Whatever kept it from being written may keep it from being removed.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes a text to a file that has mode 0600 if it is made here; the text is on the disk when this returns, a new name
 * perhaps not. @throws what the file system says
 */
export async function writeSynced(path: string, flag: 'w' | 'wx' | 'a', text: string): Promise<void> {
  const file = await open(path, flag, 0o600);
  try {
    await file.writeFile(text);
    await syncFile(file);
  } finally {
    await file.close();
  }
}

/**
 * Has what was written on the disk. By the descriptor: below Yarn's Plug'n'Play a file handle has no `sync`.
 * @throws what the file system says
 */
export function syncFile(file: FileHandle): Promise<void> {
  return promisify(fsync)(file.fd);
}

/** Gives a file the place of another one in the same directory, also after a power cut. @throws what the file system says */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectoryOf(to);
}

/** Removes a file, also after a power cut; none is fine. @throws what the file system says */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectoryOf(path);
}

/** Error codes of syncing a directory on Windows, on some network file systems, and where it may not be read. */
const cannotSync = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP']);

/** Has the name of a new file on the disk, where directories can be synced. @throws what the file system says */
export async function syncDirectoryOf(path: string): Promise<void> {
  try {
    const directory = await open(dirname(path), 'r');
    try {
      await syncFile(directory);
    } finally {
      await directory.close();
    }
  } catch (error) {
    if (!cannotSync.has(systemCodeOf(error) ?? '')) throw error;
  }
}
