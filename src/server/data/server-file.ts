import { type BigIntStats, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { proxiesName, serverFileName, sharedServersName } from '../../api/control/control.js';
import type { ServerFile } from '../../api/control/control-answers.js';
import { isResource } from '../../api/resources/resource.js';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { replacePrivately } from '../../platform/durable-file.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { isRunning, ownProcessId } from '../../terminal/process/process-system.js';
import { portOf } from '../../text/base-url.js';
import { tryParseJson } from '../../text/exact-json.js';
import { ownPath } from '../http/url-space.js';
import type { DataDirectory } from './data-directory.js';

/**
 * Writes the control API's address and token to a private file in a data directory: `server.json`, or one file per
 * server of a shared database. Replaces a killed server's file, and restores the file if it is lost or damaged.
 * @returns a function that removes the file unless another server has rewritten it
 * @throws ConfigError if the file is unwritable
 */
export async function leaveServerFile(
  { path: directory, kept }: DataDirectory,
  { url, token, pid, startedAt, database, caFile, console: page }: Omit<ServerFile, 'control'>,
): Promise<() => Promise<void>> {
  if (!kept) return () => Promise.resolve();
  const path = database === undefined ? join(directory, serverFileName) : pathOfShared(directory, url);
  const file: ServerFile = {
    url,
    control: new URL(ownPath.control, url).href,
    token,
    pid,
    startedAt,
    database,
    caFile,
    console: page,
  };
  return leaveFile(path, file);
}

/** Like `leaveServerFile`, with one file per proxy. @throws ConfigError if the file is unwritable */
export function leaveProxyFile(
  directory: string,
  { url, token, pid, startedAt, console: page, upstream }: Required<Pick<ServerFile, ProxyFields>>,
): Promise<() => Promise<void>> {
  const path = join(directory, proxiesName, `${portOf(new URL(url))}.json`);
  const control = new URL(ownPath.control, page).href;
  return leaveFile(path, { url, control, token, pid, startedAt, console: page, upstream });
}

type ProxyFields = 'url' | 'token' | 'pid' | 'startedAt' | 'console' | 'upstream';

async function leaveFile(path: string, file: ServerFile): Promise<() => Promise<void>> {
  const text = `${JSON.stringify(file, null, 2)}\n`;
  try {
    makeDirectory(dirname(path));
    await leaveText(path, text);
  } catch (error) {
    throw new ConfigError(`${path} cannot be written: ${describeFileError(error)}`, {
      ...adviseWriting(error),
      cause: error,
    });
  }
  const restored = restoreWhenLost(path, text);
  return async () => {
    await restored();
    if (readServerContent(path) === text) await rm(path, { force: true });
  };
}

/** Does not wait for the disk: after a power cut, the server has ended, too. */
function leaveText(path: string, text: string): Promise<void> {
  return replacePrivately(path, text, { durable: false });
}

/** Milliseconds between checks of the file. */
const lookEvery = 1000;

/** Restores the file: without it, `orgctl local` cannot find the server. @returns a function that ends the checks */
function restoreWhenLost(path: string, text: string): () => Promise<void> {
  const directory = identifyDirectory(path);
  let last = Promise.resolve();
  const restore = async () => {
    if (isLost(path, text) && identifyDirectory(path) === directory) await leaveText(path, text);
  };
  const look = () => {
    // The server keeps serving after a failure.
    last = last.then(restore).catch(() => undefined);
  };
  const timer = setInterval(look, lookEvery).unref();
  return () => {
    clearInterval(timer);
    return last;
  };
}

/** Whether the file is missing or differs, and is not the file of another running server. */
function isLost(path: string, text: string): boolean {
  const found = readServerContent(path);
  if (found === text) return false;
  const value = tryParseJson(found ?? '');
  const pid = isResource(value) ? value['pid'] : undefined;
  return typeof pid !== 'number' || pid === ownProcessId() || !isRunning(pid);
}

/** Identifies the directory itself: it may be moved with its database, and another may take its place. */
function identifyDirectory(path: string): string | undefined {
  const found: BigIntStats | undefined = statSync(dirname(path), { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

function pathOfShared(directory: string, url: string): string {
  const name = new URL(url).host.replaceAll(/[^\w.-]/g, '_');
  return join(directory, sharedServersName, `${name}.json`);
}

function readServerContent(path: string): string | undefined {
  try {
    return readRegularFile(path).toString();
  } catch {
    return undefined;
  }
}
