import { readFile } from 'node:fs/promises';
import { readRegularFile } from '../platform/regular-file.js';

/**
 * Reads `/dev/stdin` and `<(command)` to their end, `/dev/null` as empty, anything else by `readRegularFile`.
 * @param most in bytes
 * @throws what the file system says, and an Error for any other kind of file
 */
export async function readInputFile(path: string, most?: number): Promise<Buffer> {
  return isStream(path) ? readFile(path) : readRegularFile(path, most);
}

function isStream(path: string): boolean {
  return /^\/(dev\/(stdin|null|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/.test(path);
}
