import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { ConfigError, messageOf, systemCodeOf } from '../errors.js';

/** The text of a file; `undefined` when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes a file that only its owner can read, whole or not at all, on the disk when this returns.
 * @throws ConfigError when it cannot be written.
 */
export async function writePrivately(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // What kept it from being written may keep it from being removed.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new ConfigError(`${path} cannot be written: ${messageOf(error)}`, {
      hint: 'check that the directory is writable and its disk not full, or choose another with --data',
      cause: error,
    });
  }
}
