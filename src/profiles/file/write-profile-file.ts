import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import {
  createPrivately,
  followLinks,
  syncFile,
  syncParentDirectory,
  tryCreating,
} from '../../platform/durable-file.js';
import { showPath } from '../../platform/home-directory.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { whyNotPrivate } from '../../platform/own-file.js';
import type { ProfileFile } from './profile-file.js';

/** @throws ConfigError */
export function makeConfigDirectory(path: string): void {
  try {
    makeDirectory(path);
  } catch (error) {
    throw profileWriteError(path, error);
  }
}

/** Saves irreplaceable data durably in a private file; returns its path. @throws ConfigError or a file system error */
export async function writeRecoveryFile(
  profilesPath: string,
  { name, extension = 'json' }: { readonly name: string; readonly extension?: string },
  content: string | Buffer,
): Promise<string> {
  const directory = dirname(profilesPath);
  makeConfigDirectory(directory);
  const base = join(directory, `recovered-${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)}`);
  const other = `${base}-${randomBytes(4).toString('hex')}.${extension}`;
  // Never replaces a file that an earlier run wrote.
  const path = await createPrivately(`${base}.${extension}`, content).then(
    () => `${base}.${extension}`,
    async (error: unknown) => {
      if (readSystemCode(error) !== 'EEXIST') throw error;
      await createPrivately(other, content);
      return other;
    },
  );
  await syncParentDirectory(path);
  return path;
}

/** Checks that `writeRecoveryFile` can write, by writing a file and removing it. @throws as `writeRecoveryFile` */
export async function assertRecoverable(profilesPath: string): Promise<void> {
  makeConfigDirectory(dirname(profilesPath));
  await tryCreating(join(dirname(profilesPath), 'recovered-trial'));
}

/**
 * Slow, because it loads a library: call it before taking the lock. The returned function replaces the file atomically
 * and durably with a private one (0600). @throws ConfigError
 */
export async function openProfileWriter(): Promise<(path: string, file: ProfileFile) => Promise<void>> {
  const { default: Conf } = await import('conf');
  return async (path, file) => {
    const target = await replaceByConf(Conf, path, file).catch((error: unknown) => {
      throw profileWriteError(path, error);
    });
    await syncParentDirectory(target).catch((error: unknown) => {
      throw unsyncedError(path, error);
    });
  };
}

/** @returns the file that was replaced, which `path` may link to */
async function replaceByConf(
  Conf: typeof import('conf').default,
  path: string,
  file: ProfileFile,
): Promise<string> {
  const target = await followLinks(path);
  await removeLeftovers(`${target}.new`);
  // conf writes in place, unsynced, if SNAP is set or renaming fails. So it gets a private directory (0700) to write to.
  const own = await mkdtemp(`${target}.new.tmp-`);
  try {
    const conf = new Conf<ProfileFile>({
      cwd: own,
      configName: basename(target),
      fileExtension: '',
      configFileMode: 0o600,
      serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
    });
    conf.store = file;
    await syncPrivate(conf.path);
    await rename(conf.path, target);
  } finally {
    // The next write tries again.
    await rm(own, { recursive: true, force: true }).catch(() => undefined);
  }
  return target;
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

/** Removes temporary files that killed processes left, because they contain secrets. */
async function removeLeftovers(beside: string): Promise<void> {
  const left = (await readdir(dirname(beside))).filter((name) => name.startsWith(`${basename(beside)}.tmp-`));
  await rm(beside, { force: true });
  await Promise.all(left.map((name) => rm(join(dirname(beside), name), { recursive: true, force: true })));
}

function profileWriteError(path: string, cause: unknown): ConfigError {
  const otherwise = 'check the directory and its permissions, or set ORGCTL_CONFIG_DIR to another one';
  return new ConfigError(`${showPath(path)} cannot be written: ${describeFileError(cause)}`, {
    hint: `${adviseWriting(cause, otherwise).hint}; the profiles are unchanged`,
    cause,
  });
}

function unsyncedError(path: string, cause: unknown): ConfigError {
  const message = `${path} was changed, but may be lost in a power failure: ${describeFileError(cause)}`;
  const next = ['orgctl', 'profile', 'list'];
  return new ConfigError(message, { hint: 'check the disk; to see what is stored', next, cause });
}
