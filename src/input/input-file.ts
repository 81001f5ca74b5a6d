import { readFile } from 'node:fs/promises';
import { readRegularFile } from '../platform/regular-file.js';

/**
 * Also reads `/dev/stdin`, `<(command)` and `/dev/null`.
 * @param maxBytes in bytes
 * @throws the file system's error; Error
 */
export async function readInputFile(path: string, maxBytes?: number): Promise<Buffer> {
  return isStream(path) ? readFile(path) : readRegularFile(path, maxBytes);
}

function isStream(path: string): boolean {
  return /^\/(dev\/(stdin|null|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/.test(path);
}
