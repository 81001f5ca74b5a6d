import { mkdir, realpath } from 'node:fs/promises';
import { ConfigError, messageOf, systemCodeOf } from '../errors.js';
import { replacePrivately } from '../files/durable-file.js';
import type { ProfileFile } from './profile-file.js';

/** Makes the directory, and its parents where they are missing, for this user alone. */
export async function makeConfigDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw writeError(path, error);
  });
}

/**
 * Replaces a profile file by another content, whole or not at all, on the disk when this returns; the file has mode 0600
 * from the moment it exists. A link is kept, and what it points to is replaced. Hold the lock.
 * @throws ConfigError when it cannot be written; what was there is then still there.
 */
export async function writeProfileFile(path: string, file: ProfileFile): Promise<void> {
  try {
    const text = `${JSON.stringify(file, undefined, 2)}\n`;
    await replacePrivately(await realpathOf(path), text, { locked: true });
  } catch (error) {
    throw writeError(path, error);
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
