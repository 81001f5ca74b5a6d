import { randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import {
  createPrivately,
  followLinks,
  renameDurably,
  syncFile,
  syncParentDirectory,
  tryCreating,
} from '../../platform/durable-file.js';
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
  await createPrivately(path, content).catch((error: unknown) => {
    if (readSystemCode(error) !== 'EEXIST') throw error;
    path = `${base}-${randomBytes(4).toString('hex')}.${extension}`;
    return createPrivately(path, content);
  });
  await syncParentDirectory(path);
  return path;
}

/** Checks that `writeRecoveryFile` can write, by writing a file and removing it. @throws as `writeRecoveryFile` */
export async function assertRecoverable(profilesPath: string): Promise<void> {
  makeConfigDirectory(dirname(profilesPath));
  await tryCreating(join(dirname(profilesPath), 'recovered-trial'));
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
  const { default: Conf } = await import('conf');
  try {
    const target = await followLinks(path);
    const cwd = `${target}.tmp`;
    await rm(cwd, { recursive: true, force: true });
    await mkdir(cwd, { mode: 0o700 });
    try {
      const conf = new Conf<ProfileFile>({
        cwd,
        configName: basename(target),
        fileExtension: '',
        configFileMode: 0o600,
        serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
      });
      conf.store = file;
      await syncPrivate(conf.path);
      assertHeld();
      await renameDurably(conf.path, target);
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  } catch (error) {
    throw error instanceof ConfigError ? error : profileWriteError(path, error);
  }
}

async function syncPrivate(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const problem = whyNotPrivate(await file.stat());
    if (problem !== undefined) throw new Error(`secrets cannot be stored on this file system: ${problem}`);
    await syncFile(file);
  } finally {
    await file.close();
  }
}

function profileWriteError(path: string, cause: unknown): ConfigError {
  const otherwise = 'check the directory and its permissions, or set ORGCTL_CONFIG_DIR to another one';
  const message = `${showPath(path)} cannot be written: ${describeFileError(cause)}`;
  return new ConfigError(message, { ...adviseWriting(cause, otherwise), cause });
}
