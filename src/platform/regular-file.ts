import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import process from 'node:process';
import { describeFileError, readSystemCode } from '../errors/errors.js';

/**
 * Reads a regular file, and checks it when open, so that nothing can replace it in between. Synchronous, because loading
 * node:fs/promises would take longer than the read.
 * @param check may throw to refuse the open file
 * @throws the file system's error, or an Error for a file that is not regular, or larger than `maxBytes`
 */
export function readRegularFile(
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
  check: (found: Stats) => void = () => undefined,
): Buffer {
  // Otherwise, opening a FIFO without a writer would block.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    // Reading a directory fails with EISDIR, which has its own message.
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is not a regular file');
    if (found.isFile()) check(found);
    if (found.isFile() && found.size > maxBytes)
      throw new Error(`it has ${found.size} bytes, more than the limit of ${maxBytes}`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Whether a path names an open stream of this process, or the null device. */
export function isStream(path: string): boolean {
  return /^\/(dev\/(std(in|out|err)|null|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/.test(path);
}

/** Why a command must not replace a file; `undefined` if the file is missing, empty or of the command's own kind, `what`. */
export async function whyKept(
  path: string,
  what: string,
  isOwn: (text: string) => boolean | Promise<boolean>,
  maxBytes = 1024 * 1024,
): Promise<string | undefined> {
  try {
    const text = readRegularFile(path, maxBytes).toString('utf8');
    return text === '' || (await isOwn(text)) ? undefined : `the existing file is not ${what}`;
  } catch (error) {
    return readSystemCode(error) === 'ENOENT' ? undefined : describeFileError(error);
  }
}

/** Flags for a new file; Windows lacks the last. */
export const creating =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** `undefined` on Windows. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}

/** Why an open file is not private; `undefined` if it is. Windows has no modes to check. */
export function whyNotPrivate(found: Stats): string | undefined {
  if (!found.isFile()) return 'it is not a regular file';
  const user = effectiveUser();
  if (user === undefined) return undefined;
  if (found.uid !== user) return `it belongs to another user (${found.uid})`;
  const mode = found.mode & 0o777;
  return (mode & 0o077) === 0 ? undefined : `other users can access it (mode ${mode.toString(8)})`;
}
