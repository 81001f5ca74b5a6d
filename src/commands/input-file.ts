import { readFile } from 'node:fs/promises';
import { readRegularFile } from '../files/regular-file.js';

/**
 * The bytes of a file that a user names as input. `/dev/stdin` and what a shell puts in the place of `<(command)` are
 * read to their end, `/dev/null` is empty; anything else is read as `readRegularFile` has it.
 *
 * @param most bytes of a file; a larger one is refused
 * @throws what the file system says, and an Error for any other kind of file
 */
export async function readInputFile(path: string, most?: number): Promise<Buffer> {
  return isStream(path) ? readFile(path) : readRegularFile(path, most);
}

function isStream(path: string): boolean {
  return /^\/(dev\/(stdin|null|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/.test(path);
}
