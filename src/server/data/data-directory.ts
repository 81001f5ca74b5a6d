import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { showPath } from '../../platform/home-directory.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { inMemory } from '../../storage/sqlite/engine.js';
import { requireOwnIfThere } from './private-file.js';

export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  readonly kept: boolean;
  /** Directories made to open this one, innermost first. */
  readonly made: readonly string[];
  release(): Promise<void>;
}

export const databaseName = 'orgctl.db';

/**
 * Opens the data directory, creating it (0700) if missing. Without a path, creates a private temporary one for the
 * certificate; the embedded database is then in memory.
 * @throws ConfigError if it cannot be created or read, or if other users control it
 */
export async function openDataDirectory(path: string | undefined): Promise<DataDirectory> {
  if (path === undefined) return openTemporary();
  const absolute = resolve(path);
  const database = join(absolute, databaseName);
  let made: readonly string[];
  try {
    made = makeDirectory(absolute);
  } catch (error) {
    throw new ConfigError(
      `the data directory ${showPath(absolute)} cannot be used: ${describeFileError(error)}`,
      { hint: 'make it a directory that you can write to, or choose another data directory', cause: error },
    );
  }
  requireOwnIfThere(absolute, 'directory');
  return { path: absolute, database, kept: true, made, release: () => Promise.resolve() };
}

async function openTemporary(): Promise<DataDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'orgctl-serve-')).catch((error: unknown) => {
    throw new ConfigError(`the temporary directory ${tmpdir()} cannot be used: ${describeFileError(error)}`, {
      hint: 'set TMPDIR to a directory that you can write to',
      cause: error,
    });
  });
  const release = () => rm(path, { recursive: true, force: true });
  return { path, database: inMemory, kept: false, made: [], release };
}
