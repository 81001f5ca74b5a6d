import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { makeDirectory } from '../../platform/home-directory.js';
import type { Engine } from '../../storage/engine.js';
import { DirectoryInUse, inMemory, openSqlite } from '../../storage/sqlite/engine.js';
import { requireOwnIfThere } from './private-file.js';
import { readServerFile } from './server-file.js';

export const masterKeyName = 'master.key';

export const databaseName = 'orgctl.db';

export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  readonly kept: boolean;
  release(): Promise<void>;
}

/**
 * Opens or creates (0700) the data directory; without a path, a temporary one, with the database in memory.
 * @throws ConfigError if it cannot be created or read, or if other users control it
 */
export async function openDataDirectory(given: string | undefined): Promise<DataDirectory> {
  const place = given === undefined ? tmpdir() : resolve(given);
  try {
    if (given === undefined) {
      const path = await mkdtemp(join(place, 'orgctl-serve-'));
      const release = () => rm(path, { recursive: true, force: true });
      return { path, database: inMemory, kept: false, release };
    }
    makeDirectory(place);
  } catch (cause) {
    const reason = `the directory ${place} cannot be used: ${describeFileError(cause)}`;
    throw new ConfigError(reason, { hint: 'make it writable, or choose another data directory', cause });
  }
  requireOwnIfThere(place, 'public');
  return { path: place, database: join(place, databaseName), kept: true, release: () => Promise.resolve() };
}

/** @throws ConfigError if it cannot be opened */
export async function openEngine(path: string, shared: string | undefined): Promise<Engine> {
  if (shared !== undefined) return (await import('../../storage/postgres/engine.js')).openPostgres(shared);
  if (path === inMemory) return openSqlite(path);
  requireOwnIfThere(path, 'secret');
  return openSqlite(path).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) error.message += describeHolder(dirname(path));
    throw error;
  });
}

/** Such as ` (https://127.0.0.1:8443, process 4711)`, or empty. */
function describeHolder(directory: string): string {
  try {
    const { url, pid } = readServerFile(directory);
    return ` (${url}, process ${pid})`;
  } catch {
    return '';
  }
}
