import { closeSync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../../platform/platform-directories.js';
import {
  type CacheOwner,
  isPrivate,
  isPrivateFile,
  makePrivate,
  openPlain,
  removeAbandoned,
  replaceWhole,
} from './cache-owner.js';

export interface TakingProcess extends CacheOwner {
  readonly pid: number;
}

/**
 * Writes a native module to a file for the system to load, or reuses a private file with the same bytes.
 * @param name unique to these bytes
 * @throws Error without a private directory; file system errors
 */
export function takeOut(name: string, bytes: Buffer, owner: TakingProcess): string {
  const directory = cacheDirectory(owner);
  if (directory === undefined) throw new Error('there is no home directory to store it in');
  makePrivate(directory);
  if (!isPrivate(directory, owner)) throw new Error(`${directory} is not private to this user`);
  const path = join(directory, name);
  if (!holds(path, bytes, owner)) {
    replaceWhole(path, owner.pid, (file) => writeAll(file, bytes));
    removeAbandoned(directory, 'keyring-');
  }
  return path;
}

function holds(path: string, bytes: Buffer, owner: CacheOwner): boolean {
  const file = openIfThere(path);
  if (file === undefined) return false;
  try {
    const found = fstatSync(file);
    return isPrivateFile(found, owner) && found.size === bytes.length && readFileSync(file).equals(bytes);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openPlain(path);
  } catch {
    return undefined;
  }
}

function writeAll(file: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
}
