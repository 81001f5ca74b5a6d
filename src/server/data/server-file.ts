import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { proxiesName, serverFileName, sharedServersName } from '../../api/control/control.js';
import type { ServerFile } from '../../api/control/control-answers.js';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { replacePrivately } from '../../platform/durable-file.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { portOf } from '../../text/base-url.js';
import { ownPath } from '../http/url-space.js';
import type { DataDirectory } from './data-directory.js';

/**
 * Writes the control API's address and token to a private file in a data directory: `server.json`, or one file per
 * server of a shared database. Replaces a killed server's file.
 * @returns a function that removes the file unless another server has rewritten it
 * @throws ConfigError if the file is unwritable
 */
export async function leaveServerFile(
  { path: directory, kept }: DataDirectory,
  { url, token, pid, startedAt, database, caFile, console: page }: Omit<ServerFile, 'control'>,
): Promise<() => Promise<void>> {
  if (!kept) return () => Promise.resolve();
  const shared = `${new URL(url).host.replaceAll(/[^\w.-]/g, '_')}.json`;
  const name = database === undefined ? serverFileName : join(sharedServersName, shared);
  const control = new URL(ownPath.control, url).href;
  const file = { url, control, token, pid, startedAt, database, caFile, console: page };
  return leaveFile(join(directory, name), file);
}

type ProxyFields = 'url' | 'token' | 'pid' | 'startedAt' | 'console' | 'upstream';

/** Like `leaveServerFile`, with one file per proxy. @throws ConfigError if the file is unwritable */
export function leaveProxyFile(
  directory: string,
  { url, token, pid, startedAt, console: page, upstream }: Required<Pick<ServerFile, ProxyFields>>,
): Promise<() => Promise<void>> {
  const path = join(directory, proxiesName, `${portOf(new URL(url))}.json`);
  const control = new URL(ownPath.control, page).href;
  return leaveFile(path, { url, control, token, pid, startedAt, console: page, upstream });
}

async function leaveFile(path: string, file: ServerFile): Promise<() => Promise<void>> {
  const text = `${JSON.stringify(file, null, 2)}\n`;
  try {
    makeDirectory(dirname(path));
    // Not durable: after a power cut, the server has ended, too.
    await replacePrivately(path, text, { durable: false });
  } catch (error) {
    throw new ConfigError(`${path} cannot be written: ${describeFileError(error)}`, {
      ...adviseWriting(error),
      cause: error,
    });
  }
  return async () => {
    const left = await readFile(path, 'utf8').catch(() => undefined);
    if (left === text) await rm(path, { force: true });
  };
}
