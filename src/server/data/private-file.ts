import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { removeDurably, renameDurably, replacePrivately } from '../../platform/durable-file.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { type Kind, requireOwn } from './ownership.js';

/** `undefined` if there is no file. @throws ConfigError as `requireOwn`, or the file system's error */
export function readIfThere(path: string, kind: Kind): string | undefined {
  try {
    return readRegularFile(path, undefined, (found) => requireOwn(path, found, kind)).toString();
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Like `replacePrivately`. @throws ConfigError */
export function writePrivately(path: string, text: string): Promise<void> {
  return replacePrivately(path, text).catch((error: unknown) => {
    throw unwritable(path, error);
  });
}

/** Like `renameDurably`. @throws ConfigError */
export function moveInPlace(from: string, to: string): Promise<void> {
  return renameDurably(from, to).catch((error: unknown) => {
    throw unwritable(to, error);
  });
}

/** Like `removeDurably`. @throws ConfigError */
export function removePrivately(path: string): Promise<void> {
  return removeDurably(path).catch((error: unknown) => {
    throw unwritable(path, error);
  });
}

function unwritable(path: string, cause: unknown): ConfigError {
  return new ConfigError(`${path} cannot be written: ${describeFileError(cause)}`, {
    hint: 'check that the directory is writable and its disk is not full, or choose another data directory',
    cause,
  });
}
