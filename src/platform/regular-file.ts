import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

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
