import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
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
import type { ProfileFile } from './profile-file.js';

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
 * Slow, because it loads a library: call it before taking the lock. The returned function replaces the file atomically
 * and durably with a private one (0600). @throws ConfigError
 */
export async function openProfileWriter(): Promise<(path: string, file: ProfileFile) => Promise<void>> {
  const { default: Conf } = await import('conf');
  return (path, file) =>
    replaceByConf(Conf, path, file).catch((error: unknown) => {
      throw profileWriteError(path, error);
    });
}

async function replaceByConf(Conf: typeof import('conf').default, path: string, file: ProfileFile) {
  const target = await followLinks(path);
  // conf writes in place, unsynced, if SNAP is set or renaming fails. So it gets a private directory (0700) to write to.
  const cwd = await mkdtemp(`${target}.tmp-`);
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
    await renameDurably(conf.path, target);
  } finally {
    // The next write tries again.
    await removeTemporary(target).catch(() => undefined);
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

/** Also removes what killed processes left, because it contains secrets. */
async function removeTemporary(target: string): Promise<void> {
  const directory = dirname(target);
  const left = (await readdir(directory)).filter((name) => name.startsWith(`${basename(target)}.tmp-`));
  await Promise.all(left.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}

function profileWriteError(path: string, cause: unknown): ConfigError {
  return new ConfigError(`${showPath(path)} cannot be written: ${describeFileError(cause)}`, {
    ...adviseWriting(
      cause,
      'check the directory and its permissions, or set ORGCTL_CONFIG_DIR to another one',
    ),
    cause,
  });
}
