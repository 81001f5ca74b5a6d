import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ConfigError, messageOf, systemCodeOf } from '../errors.js';
import type { ProfileFile } from './profile-file.js';

/** Makes the directory, and its parents where they are missing, for this user alone. */
export async function makeConfigDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw writeError(path, error);
  });
}

/**
 * Replaces the file at once and durably; it has mode 0600 from the moment it exists. A link is kept, and what it
 * points to is replaced. Hold the lock.
 *
 * @throws ConfigError when it cannot be written; what was there is then still there
 */
export async function writeProfileFile(path: string, file: ProfileFile): Promise<void> {
  try {
    const target = await realpathOf(path);
    await replace(target, `${target}.new`, file);
  } catch (error) {
    throw writeError(path, error);
  }
}

// conf writes a temporary file, syncs and renames it; but inside a snap (SNAP is set, as in an editor's terminal) and
// where renaming fails it writes in place and keeps the old mode. So it gets a new file of its own, and the rename
// that counts is ours.
async function replace(target: string, beside: string, file: ProfileFile): Promise<void> {
  const { default: Conf } = await import('conf');
  await rm(beside, { force: true });
  try {
    const conf = new Conf<ProfileFile>({
      cwd: dirname(beside),
      configName: basename(beside),
      fileExtension: '',
      configFileMode: 0o600,
      serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
    });
    conf.store = file;
    await rename(beside, target);
  } finally {
    await rm(beside, { force: true });
  }
}

async function realpathOf(path: string): Promise<string> {
  return await realpath(path).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return path;
    throw error;
  });
}

function writeError(path: string, cause: unknown): ConfigError {
  return new ConfigError(`${path} cannot be written: ${systemCodeOf(cause) ?? messageOf(cause)}`, {
    hint: 'check the directory and its permissions, or set ORGCTL_CONFIG_DIR to another one',
    cause,
  });
}
