import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/**
 * The bytes of a file that is one: a FIFO, a device or a socket is refused and not waited for. It is looked at after it
 * was opened, so that nothing can take its place in between.
 * Not node:fs/promises: loading it takes longer than such a read.
 * @param most bytes; a larger file is refused before any of it is read
 * @param check what else to refuse of the open file, by throwing
 * @throws what the file system says, and an Error for what is no regular file or too large
 */
export function readRegularFile(
  path: string,
  most = Number.POSITIVE_INFINITY,
  check: (found: Stats) => void = () => undefined,
): Buffer {
  // Opening a FIFO without a writer would block; on a file the flag has no meaning.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    // Reading a directory fails with EISDIR, which is a known message.
    if (!found.isFile() && !found.isDirectory()) throw new Error(`it is ${describeKind(found)}, not a file`);
    check(found);
    if (found.size > most) throw new Error(`it has ${found.size} bytes, and at most ${most} are read`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function describeKind(found: Stats): string {
  if (found.isFIFO()) return 'a FIFO';
  return found.isSocket() ? 'a socket' : 'a device';
}
