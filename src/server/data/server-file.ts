import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverFileName } from '../../contract/control.js';
import type { ServerFile } from '../../contract/control-answers.js';
import { ConfigError, messageOf } from '../../errors.js';
import { replacePrivately } from '../../files/durable-file.js';
import { readRegularFile } from '../../files/regular-file.js';
import { ownPath } from '../pipeline/url-space.js';
import type { DataDirectory } from './data-directory.js';

/**
 * Writes the address and token of the control API to a persistent data directory, readable by its owner alone. Replaces
 * what a killed server left.
 * @returns what removes it again, unless another server that shares the directory has written its own since
 * @throws ConfigError when it cannot be written
 */
export async function leaveServerFile(
  { path: directory, kept }: DataDirectory,
  { url, token, pid, startedAt, caFile, console: page }: Omit<ServerFile, 'control'>,
): Promise<() => Promise<void>> {
  if (!kept) return () => Promise.resolve();
  const path = join(directory, serverFileName);
  const file: ServerFile = {
    url,
    control: `${url}${ownPath.control}`,
    token,
    pid,
    startedAt,
    caFile,
    console: page,
  };
  const text = `${JSON.stringify(file, null, 2)}\n`;
  await replacePrivately(path, text).catch((error: unknown) => {
    throw new ConfigError(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  });
  return async () => {
    if (contentOf(path) === text) await rm(path, { force: true });
  };
}

/** A file that cannot be read is not the one this server wrote. */
function contentOf(path: string): string | undefined {
  try {
    return readRegularFile(path).toString();
  } catch {
    return undefined;
  }
}
