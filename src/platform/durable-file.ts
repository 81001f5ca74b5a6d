import { randomBytes } from 'node:crypto';
import { fsync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { systemCodeOf } from '../errors/errors.js';
import { creating, whyNotPrivate } from './own-file.js';

/**
 * Replaces a file by one that only its owner can read, as `createPrivately` makes it, whole or not at all; a link is
 * replaced, not followed. It and its name are on the disk when this returns. A kill can leave `PATH.….tmp`: see
 * `isTemporaryOf`.
 * @throws what the file system says; what was there is then still there.
 */
export async function replacePrivately(path: string, text: string): Promise<void> {
  // Unguessable: nobody else who can write to the directory has something under this name.
  const temporary = `${path}.${randomBytes(temporaryBytes).toString('hex')}.tmp`;
  await createPrivately(temporary, text);
  try {
    await renameDurably(temporary, path);
  } catch (error) {
    await removeIfPossible(temporary);
    throw error;
  }
}

const temporaryBytes = 6;

/** Whether a file's name is one that `replacePrivately` gives to the next content of a file of that name. */
export function isTemporaryOf(name: string, each: string): boolean {
  const rest = each.startsWith(`${name}.`) ? each.slice(name.length + 1) : '';
  return /^[0-9a-f]+\.tmp$/.test(rest) && rest.length === 2 * temporaryBytes + '.tmp'.length;
}

/**
 * Creates a file that only this user can read, 0600 from the moment it exists. The text is on the disk when this returns,
 * the name perhaps not. Every file with a secret is made so: what is there already, perhaps opened by another user who put
 * it there, is never written to, nor is a link followed.
 * @throws what the file system says, EEXIST for whatever is there; an Error where the file system gives the new file to
 *   another user or opens it to others. Nothing is left then.
 */
export async function createPrivately(path: string, text: string | Buffer): Promise<void> {
  const file = await open(path, creating, 0o600);
  try {
    const problem = whyNotPrivate(await file.stat());
    if (problem !== undefined) throw new Error(`nothing secret can be kept on this file system: ${problem}`);
    await file.writeFile(text);
    await syncFile(file);
  } catch (error) {
    await removeIfPossible(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** Whatever kept a file from being written may keep it from being removed. */
async function removeIfPossible(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
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
