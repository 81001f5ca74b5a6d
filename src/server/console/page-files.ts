import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSystemCode } from '../../errors/errors.js';
import { isBuilt } from '../../platform/version.js';

const directory = fileURLToPath(new URL(isBuilt ? '../console/' : '../../../dist/console/', import.meta.url));

/** Empty if the console was not built. */
export async function readPageFiles(): Promise<ReadonlyMap<string, Buffer>> {
  try {
    const names = await readdir(directory);
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const)),
    );
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT') return new Map();
    throw error;
  }
}
