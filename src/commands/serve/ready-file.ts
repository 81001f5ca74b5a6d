import { rm } from 'node:fs/promises';
import { fileMessageOf, UsageError } from '../../errors.js';
import { readRegularFile } from '../../files/regular-file.js';

/**
 * Writes the ready line where programs wait for it: readable by the owner alone, since it holds secrets, and whole from
 * the moment it is there.
 * @param path absolute
 * @returns what removes the file again, unless another server has written its own line there since
 * @throws UsageError when it cannot be written
 */
export async function writeReadyFile(path: string, line: string): Promise<() => Promise<void>> {
  const { replacePrivately } = await import('../../files/durable-file.js');
  await replacePrivately(path, line).catch((error: unknown) => {
    throw new UsageError(`--ready-file ${path}: ${fileMessageOf(error)}`, { cause: error });
  });
  return async () => {
    if (contentOf(path) === line) await rm(path, { force: true });
  };
}

/** A file that cannot be read is not the one this server wrote. */
function contentOf(path: string): string | undefined {
  try {
    return readRegularFile(path).toString();
  } catch {
    return undefined;
  }
}
