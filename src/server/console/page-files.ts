import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../../platform/version.js';

const directory = fileURLToPath(new URL(isBuilt ? '../console/' : '../../../dist/console/', import.meta.url));

/** @throws the file system's error if the console was not built */
export async function readPageFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(directory);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const)),
  );
}
