import { readFile } from 'node:fs/promises';
import { isStream, readRegularFile } from '../platform/regular-file.js';

/**
 * Reads a regular file, and also `/dev/stdin`, `<(command)` and `/dev/null`.
 * @param maxBytes limit for a regular file
 * @throws the file system's error, or an Error for any other kind of file, or a file above the limit
 */
export async function readInputFile(path: string, maxBytes?: number): Promise<Buffer> {
  return isStream(path) ? readFile(path) : readRegularFile(path, maxBytes);
}
