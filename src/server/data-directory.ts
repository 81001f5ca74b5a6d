import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, messageOf } from '../errors.js';
import { inMemory } from '../storage/sqlite/engine.js';

/** Where a server keeps what is its own. */
export interface DataDirectory {
  /** Absolute path. */
  readonly path: string;
  /** Path of the database, or `:memory:`. */
  readonly database: string;
  /** Whether it is there again at the next start. */
  readonly kept: boolean;
  /** Removes a directory that is not kept. */
  release(): Promise<void>;
}

/** The file of the embedded database. */
export const databaseName = 'orgctl.db';

/**
 * Opens the directory for a server's data, creating it (0700) when it is not there. Without a path, a private one is
 * made for the certificate, and the database stays in memory.
 * @throws ConfigError when it cannot be created or is not a directory that can be read.
 */
export async function openDataDirectory(path: string | undefined): Promise<DataDirectory> {
  if (path === undefined) return openTemporary();
  const absolute = resolve(path);
  try {
    await mkdir(absolute, { recursive: true, mode: 0o700 });
    await closeToOthers(absolute);
  } catch (error) {
    throw new ConfigError(`the data directory ${absolute} cannot be used: ${messageOf(error)}`, {
      hint: 'make it a directory that you can write to, or choose another with --data',
      cause: error,
    });
  }
  const database = join(absolute, databaseName);
  return { path: absolute, database, kept: true, release: () => Promise.resolve() };
}

async function openTemporary(): Promise<DataDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'orgctl-serve-'));
  const release = () => rm(path, { recursive: true, force: true });
  return { path, database: inMemory, kept: false, release };
}

// A directory with other things in it is somebody's own: its mode is left alone, and every file of ours is 0600.
async function closeToOthers(path: string): Promise<void> {
  const { mode } = await stat(path);
  const names = await readdir(path);
  const isOurs = names.length === 0 || names.includes(databaseName);
  if (isOurs && (mode & 0o077) !== 0) await chmod(path, 0o700);
}
