import { readFile, rm } from 'node:fs/promises';
import { messageOf, systemCodeOf, UsageError } from '../../errors.js';

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
    throw new UsageError(`--ready-file ${path}: ${messageOf(error)}`, { cause: error });
  });
  return async () => {
    if ((await contentOf(path)) === line) await rm(path, { force: true });
  };
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
