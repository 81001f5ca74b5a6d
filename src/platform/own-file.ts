import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { effectiveUser } from './effective-user.js';

/** Flags of `open` that Windows does not know, where they have no meaning. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const noWait = constants.O_NONBLOCK ?? 0;

/** Opens a file that must not be there yet, never through a link. */
export const creating = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;

/**
 * Why an open file may be known to, or written by, somebody else; `undefined` for a regular file of this user that is
 * closed to others. Windows has no mode bits: there only the kind of file counts.
 */
export function whyNotPrivate(found: Stats): string | undefined {
  if (!found.isFile()) return 'it is not a regular file';
  const user = effectiveUser();
  if (user === undefined) return undefined;
  if (found.uid !== user) return `it belongs to another user (${found.uid})`;
  const mode = found.mode & 0o777;
  return (mode & 0o077) === 0 ? undefined : `other users can access it (mode ${mode.toString(8)})`;
}

/** A file as it was read. */
export interface ReadFile {
  readonly text: string;
  /** Tells this file from another one under the same name. */
  readonly identity: string;
  /** See `whyNotPrivate`. */
  readonly problem: string | undefined;
}

/**
 * Reads a file that nobody else should have written; looks at what was opened, not at what has the name. A link is not
 * followed, and what is no regular file is not read.
 *
 * @param most bytes; a larger file is refused before any of it is read
 * @throws what the file system says, and an Error for a file that is too large
 */
export async function readPrivate(path: string, most: number): Promise<ReadFile> {
  const file = await open(path, constants.O_RDONLY | noFollow | noWait);
  try {
    const found = await file.stat();
    if (found.size > most) throw new Error(`it has ${found.size} bytes, and at most ${most} are read`);
    const text = found.isFile() ? await file.readFile('utf8') : '';
    return { text, identity: identityOf(found), problem: whyNotPrivate(found) };
  } finally {
    await file.close();
  }
}

/** Tells a file from others; its number alone is given to the next file once it is gone. */
export function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`;
}
