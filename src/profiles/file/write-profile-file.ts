import { randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import * as durable from '../../platform/durable-file.js';
import { showPath } from '../../platform/home-directory.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { whyNotPrivate } from '../../platform/own-file.js';
import type { ProfileFile } from './parse-profile-file.js';

/** @throws ConfigError */
export function makeConfigDirectory(path: string): void {
  try {
    makeDirectory(path);
  } catch (error) {
    throw profileWriteError(path, error);
  }
}

/** Saves irreplaceable data durably in a new private file; returns its path. @throws ConfigError or a file system error */
export async function writeRecoveryFile(
  profilesPath: string,
  { name, extension = 'json' }: { readonly name: string; readonly extension?: string },
  content: string | Buffer,
): Promise<string> {
  const directory = dirname(profilesPath);
  makeConfigDirectory(directory);
  const base = join(directory, `recovered-${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)}`);
  let path = `${base}.${extension}`;
  await durable.createPrivately(path, content).catch((error: unknown) => {
    if (readSystemCode(error) !== 'EEXIST') throw error;
    path = `${base}-${randomBytes(4).toString('hex')}.${extension}`;
    return durable.createPrivately(path, content);
  });
  await durable.syncParentDirectory(path);
  return path;
}

/**
 * Replaces the file atomically and durably with a private one (0600). conf writes in place and unsynced if SNAP is set
 * or renaming fails: so it writes in a directory of its own (0700), which also replaces what a killed process left.
 * @param assertHeld throws if the lock was lost @throws ConfigError
 */
export async function writeProfileFile(
  path: string,
  file: ProfileFile,
  assertHeld: () => void,
): Promise<void> {
  try {
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
  } catch (error) {
    throw error instanceof ConfigError ? error : profileWriteError(path, error);
  }
}

/** @throws Error on a file system without modes or owners */
async function syncPrivate(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  const problem = whyNotPrivate(await file.stat());
  if (problem !== undefined) throw new Error(`secrets cannot be stored on this file system: ${problem}`);
  await durable.syncFile(file);
}

function profileWriteError(path: string, cause: unknown): ConfigError {
  const otherwise = 'check the directory and its permissions, or set ORGCTL_CONFIG_DIR to another one';
  const message = `${showPath(path)} cannot be written: ${describeFileError(cause)}`;
  return new ConfigError(message, { ...adviseWriting(cause, otherwise), cause });
}
