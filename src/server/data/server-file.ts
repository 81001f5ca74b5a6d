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
 * Leaves in a data directory that is kept how the server is steered while it runs, readable by the owner alone. What a killed one
 * left is replaced.
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
