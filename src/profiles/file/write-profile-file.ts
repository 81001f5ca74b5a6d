import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { adviseWriting, ConfigError, describeFileError } from '../../errors/errors.js';
import * as durable from '../../platform/durable-file.js';
import { makeDirectory } from '../../platform/home-directory.js';
import { whyNotPrivate } from '../../platform/regular-file.js';
import type { ProfileFile } from './parse-profile-file.js';

/** Saves irreplaceable data in a new private file; returns its path. @throws an Error of the file system */
export async function writeRecoveryFile(
  profilesPath: string,
  { name, extension = 'json' }: { readonly name: string; readonly extension?: string },
  content: string | Buffer,
): Promise<string> {
  const directory = dirname(profilesPath);
  makeDirectory(directory);
  const base = `recovered-${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)}`;
  const isTaken = existsSync(join(directory, `${base}.${extension}`));
  const path = join(directory, `${base}${isTaken ? `-${randomUUID()}` : ''}.${extension}`);
  await durable.createPrivately(path, content);
  await durable.syncParentDirectory(path);
  return path;
}

/**
 * Replaces the file atomically with a private one (0600). conf may write in place, so it gets a directory of its own;
 * one that a killed process left is removed. @param assertHeld throws if the lock was lost
 */
export async function writeProfileFile(
  path: string,
  file: ProfileFile,
  assertHeld: () => void,
): Promise<void> {
  const target = await durable.followLinks(path);
  const cwd = `${target}.tmp`;
  await rm(cwd, { recursive: true, force: true });
  await mkdir(cwd, { mode: 0o700 });
  try {
    const { default: Conf } = await import('conf');
    const serialize = (value: ProfileFile) => `${JSON.stringify(value, undefined, 2)}\n`;
    const place = { cwd, configName: basename(target), fileExtension: '', configFileMode: 0o600 };
    const conf = new Conf<ProfileFile>({ ...place, serialize });
    conf.store = file;
    await syncPrivate(conf.path);
    assertHeld();
    await durable.renameDurably(conf.path, target);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** @throws Error on a file system without modes or owners */
async function syncPrivate(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  const problem = whyNotPrivate(await file.stat());
  if (problem !== undefined) throw new Error(`secrets cannot be stored on this file system: ${problem}`);
  await durable.syncFile(file);
}

export function profileWriteError(path: string, cause: unknown): ConfigError {
  const otherwise = 'check the directory and its permissions, or set ORGCTL_CONFIG_DIR to another one';
  const message = `${path} cannot be written: ${describeFileError(cause)}`;
  return new ConfigError(message, { ...adviseWriting(cause, otherwise), cause });
}
