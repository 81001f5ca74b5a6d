import { constants, type Stats } from 'node:fs';
import process from 'node:process';

/** Windows lacks these flags. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const noWait = constants.O_NONBLOCK ?? 0;

export const creating = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;

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

/**
 * Reads a regular file; other kinds of files read as empty. Follows no link, except on Windows.
 * @returns also why the file is not private
 * @throws the file system's error, or an Error for a larger file
 */
export async function readPrivate(path: string, maxBytes: number) {
  // Loaded on demand, because every command loads this file.
  const { open } = await import('node:fs/promises');
  const file = await open(path, constants.O_RDONLY | noFollow | noWait);
  try {
    const found = await file.stat();
    if (found.size > maxBytes)
      throw new Error(`it has ${found.size} bytes, more than the limit of ${maxBytes}`);
    const text = found.isFile() ? await file.readFile('utf8') : '';
    return { text, problem: whyNotPrivate(found) };
  } finally {
    await file.close();
  }
}
