import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serverLogName } from '../../api/control/control.js';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { showPath } from '../../platform/home-directory.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { inMemory } from '../../storage/sqlite/engine.js';
import { masterKeyNames } from './master-key-file.js';
import { OldMasterKeys } from './old-master-keys.js';
import { isShared, type Kind, requireOwner, requireOwnIfThere } from './ownership.js';
import { sessionsName } from './stored-sessions.js';

export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  readonly kept: boolean;
  /** Directories made to open this one, innermost first. */
  readonly made: readonly string[];
  release(): Promise<void>;
}

export const databaseName = 'orgctl.db';

/** Files that other users must not control. Certificates are public. */
const ownFiles: readonly (readonly [name: string, kind: Kind])[] = [
  ...['', '-wal', '-shm', '-journal'].map((ending) => [`${databaseName}${ending}`, 'secret'] as const),
  ...masterKeyNames.map((name) => [name, 'secret'] as const),
  ['ca-key.pem', 'secret'],
  ['server-key.pem', 'secret'],
  [sessionsName, 'secret'],
  ['ca.pem', 'public'],
  ['server.pem', 'public'],
];

/**
 * Opens the data directory, creating it (0700) if missing. Without a path, creates a private temporary one for the
 * certificate; the embedded database is then in memory.
 * @throws ConfigError if it cannot be created or read, or if `requireOwnDirectory` refuses it
 */
export async function openDataDirectory(path: string | undefined): Promise<DataDirectory> {
  if (path === undefined) return openTemporary();
  const absolute = resolve(path);
  let made: readonly string[];
  try {
    made = makeDirectory(absolute);
    await closeToOthers(absolute);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `the data directory ${showPath(absolute)} cannot be used: ${describeFileError(error)}`,
      {
        hint: 'make it a directory that you can write to, or choose another data directory',
        cause: error,
      },
    );
  }
  await requireOwnDirectory(absolute);
  const database = join(absolute, databaseName);
  return { path: absolute, database, kept: true, made, release: () => Promise.resolve() };
}

/** Refuses directories and files that other users control. @throws ConfigError naming the path */
export async function requireOwnDirectory(path: string): Promise<void> {
  requireOwnIfThere(path, 'directory');
  for (const [name, kind] of ownFiles) requireOwnIfThere(join(path, name), kind);
  const old = new OldMasterKeys(path);
  requireOwnIfThere(old.path, 'directory');
  for (const file of await old.files()) requireOwnIfThere(file, 'secret');
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

// A directory with other contents keeps its mode; our files are 0600 anyway.
async function closeToOthers(path: string): Promise<void> {
  const found = await stat(path);
  requireOwner(path, found);
  const names = (await readdir(path)).filter((name) => name !== serverLogName);
  const isOurs = !isShared(found) && (names.length === 0 || names.includes(databaseName));
  if (isOurs && (found.mode & 0o077) !== 0) await chmod(path, 0o700);
}
