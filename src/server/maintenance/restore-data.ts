import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, link, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serverFileName, serverLogName, sharedServersName } from '../../api/control/control.js';
import {
  ConfigError,
  describeFileError,
  OrgctlError,
  readSystemCode,
  UsageError,
} from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { renameDurably, syncParentDirectory } from '../../platform/durable-file.js';
import { DirectoryInUse } from '../../storage/sqlite/engine.js';
import { type DataDirectory, openDataDirectory } from '../data/data-directory.js';
import { masterKeyName } from '../data/master-key.js';
import { openEngine } from '../data/open-engine.js';
import { makeDurable } from './backup-data.js';
import { closing, type DataSource, type InspectedData, inspectData, openCopy } from './inspect-data.js';

export interface RestoreOptions extends DataSource {
  readonly file: string;
  readonly force?: boolean | undefined;
}

export interface Restored extends InspectedData {
  readonly data: string;
  /** Where the data is that was there before. */
  readonly replaced?: string;
}

/** Keys, certificates and files about a server are not data: a directory with only these counts as empty. */
const notData = new Set([
  masterKeyName,
  'ca.pem',
  'server.pem',
  'server-key.pem',
  serverLogName,
  `${serverLogName}.1`,
  serverFileName,
  sharedServersName,
]);

/**
 * Replaces the embedded database with a backup, after checking a copy of it. A kill leaves either the old or the new data
 * in place. Keeps the old data beside the new. A failure removes the directories that it made, unless they have files.
 * @throws UsageError if the backup is not a file; ConfigError if the directory is in use or not writable, if it is not
 * empty and `force` is not set, or if the backup is damaged or its key is missing
 */
export async function restoreData(options: RestoreOptions): Promise<Restored> {
  const backup = resolve(options.file);
  const found = await stat(backup).catch((cause: unknown) => {
    throw new UsageError(`${backup}: ${describeFileError(cause)}`, { cause });
  });
  if (!found.isFile()) throw new UsageError(`${backup} is not a regular file`);
  const directory = await openDataDirectory(options.data);
  const staged = join(directory.path, `.orgctl-${randomBytes(12).toString('hex')}.db`);
  try {
    return await restoreInto(directory, backup, staged, options);
  } catch (error) {
    await rm(staged, { force: true });
    // Keeps directories that are not empty.
    for (const path of directory.made) await rmdir(path).catch(() => undefined);
    if (error instanceof OrgctlError) throw error;
    throw new ConfigError(`${backup} cannot be restored to ${directory.path}: ${describeFileError(error)}`, {
      ...adviseWriting(error),
      cause: error,
    });
  }
}

async function restoreInto(
  { path, database }: DataDirectory,
  backup: string,
  staged: string,
  { masterKey, force = false }: RestoreOptions,
): Promise<Restored> {
  if (!force) await requireEmpty(path);
  await copyFile(backup, staged, constants.COPYFILE_EXCL);
  await chmod(staged, 0o600);
  const inspected = await closing(await openCopy(staged, `the backup ${backup}`), (engine) =>
    inspectData(engine, `the backup ${backup}`, { data: path, masterKey }),
  );
  await makeDurable(staged);
  const replaced = await swap(staged, database);
  return { data: path, ...inspected, ...(replaced !== undefined && { replaced }) };
}

async function requireEmpty(path: string): Promise<void> {
  const found = (await readdir(path)).filter((name) => !notData.has(name) && !name.startsWith('.orgctl-'));
  if (found.length === 0) return;
  throw new ConfigError(`the data directory ${path} is not empty: ${found.slice(0, 3).join(', ')}`, {
    hint: 'restore into a directory that is empty or has only the master.key, or stop any server that uses it and force the restore, which keeps a copy of the replaced data beside it',
  });
}

/** Returns the new name of replaced data. */
async function swap(staged: string, database: string): Promise<string | undefined> {
  const isThere = await stat(database).then(
    () => true,
    () => false,
  );
  if (isThere) await mergeLog(database);
  const kept = `${database}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  if (isThere) await link(database, kept).catch(() => copyFile(database, kept));
  // Of a damaged database: SQLite would apply its log to the backup.
  const logs = await Promise.all(
    ['-wal', '-journal'].map((end) => setAside(`${database}${end}`, `${kept}${end}`)),
  );
  await renameDurably(staged, database);
  await syncParentDirectory(database);
  return isThere || logs.includes(true) ? kept : undefined;
}

/** Opens and closes the old database, if it is not damaged. @throws ConfigError if a server uses it */
async function mergeLog(database: string): Promise<void> {
  try {
    await (await openEngine(database, undefined)).close();
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
  }
}

async function setAside(log: string, kept: string): Promise<boolean> {
  try {
    await rename(log, kept);
    return true;
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
