import { randomBytes } from 'node:crypto';
import { fsync } from 'node:fs';
import { chmod, type FileHandle, lstat, open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readSystemCode } from '../errors/errors.js';
import { creating, isStream, whyNotPrivate } from './regular-file.js';

/** A name beside a path, unguessable, so that no other user can create it first. */
function temporaryName(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

/** Replaces a file or link atomically with a private file; a durable one survives a power cut. @throws as `createPrivately` does */
export async function replacePrivately(path: string, text: string, { durable = true } = {}): Promise<void> {
  const temporary = temporaryName(path);
  await createPrivately(temporary, text, { durable });
  try {
    await (durable ? renameDurably : rename)(temporary, path);
  } catch (error) {
    await removeIfPossible(temporary);
    throw error;
  }
}

/**
 * Replaces a file atomically and keeps its mode; a new file gets 0600. Follows links.
 * @throws as `createPrivately` does, or an Error if the path is not a file
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  // Even if stdout is a file: later output of this process would go to the old one.
  if (isStream(path)) throw new Error('it is not a file');
  const target = await followLinks(path);
  const found = await lstat(target).catch((error: unknown) => {
    if (readSystemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined && !found.isFile()) throw new Error('it is not a file');
  await replacePrivately(target, text);
  // After the rename: a failure here leaves the file private.
  if (found !== undefined) await chmod(target, found.mode & 0o777);
}

/** Resolves links in a path, even if their target does not exist. @throws the file system's error */
export async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (readSystemCode(error) !== 'ENOENT') throw error;
    const next = await readlink(path).catch(() => undefined);
    return next === undefined ? path : followLinks(resolve(await realpath(dirname(path)), next));
  }
}

/**
 * Creates a file with mode 0600. Never follows a link, nor overwrites a file, because another user may have it open.
 * Does not sync the name.
 * @throws the file system's error; an Error if the file system lets other users access the file
 */
export async function createPrivately(
  path: string,
  text: string | Buffer,
  { durable = true } = {},
): Promise<void> {
  const file = await open(path, creating, 0o600);
  try {
    const problem = whyNotPrivate(await file.stat());
    if (problem !== undefined) throw new Error(`secrets cannot be stored on this file system: ${problem}`);
    await file.writeFile(text);
    if (durable) await syncFile(file);
  } catch (error) {
    await removeIfPossible(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** Checks that `createPrivately` can create 8 KB beside this path. @throws as it does */
export async function tryCreating(path: string): Promise<void> {
  const trial = temporaryName(path);
  await createPrivately(trial, Buffer.alloc(8192));
  await rm(trial, { force: true });
}

async function removeIfPossible(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** Syncs by descriptor: under Yarn's Plug'n'Play, file handles have no `sync`. */
export function syncFile(file: FileHandle): Promise<void> {
  return promisify(fsync)(file.fd);
}

/** Renames a file so that the change survives a power cut. @throws the file system's error */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncParentDirectory(to);
}

/** Error codes of directories that are unreadable or cannot be synced, as on Windows and some network file systems. */
const cannotSync = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP']);

/** Makes a new or removed name durable. @throws the file system's error */
export async function syncParentDirectory(path: string): Promise<void> {
  try {
    const directory = await open(dirname(path), 'r');
    try {
      await syncFile(directory);
    } finally {
      await directory.close();
    }
  } catch (error) {
    if (!cannotSync.has(readSystemCode(error) ?? '')) throw error;
  }
}
