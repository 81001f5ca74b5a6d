import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ConfigError, describeFileError, UsageError } from '../../errors/errors.js';
import { renameDurably, syncParentDirectory } from '../../platform/durable-file.js';
import { DirectoryInUse } from '../../storage/sqlite/engine.js';
import { openDataDirectory, openEngine } from '../data/data-directory.js';
import { makeDurable, refuseWriting } from './backup-data.js';
import { type DataSource, type InspectedData, inspectCopy } from './check-data.js';

interface RestoreOptions extends DataSource {
  readonly file: string;
  readonly force?: boolean | undefined;
}

interface Restored extends InspectedData {
  readonly data: string;
  /** Where the data is that was there before. */
  readonly replaced?: string;
}

/**
 * Replaces the embedded database with a backup, after checking a copy of it. A kill leaves either the old or the new data
 * in place. Keeps the old data beside the new.
 * @throws UsageError if the backup is not a file; ConfigError if the directory is in use or not writable, if it has data
 * and `force` is not set, or if the backup is damaged or its key is missing
 */
export async function restoreData({ file, force, data, masterKey }: RestoreOptions): Promise<Restored> {
  const backup = resolve(file);
  const found = await stat(backup).catch((cause: unknown) => {
    throw new UsageError(`${backup}: ${describeFileError(cause)}`, { cause });
  });
  if (!found.isFile()) throw new UsageError(`${backup} is not a regular file`);
  const { path, database } = await openDataDirectory(data);
  if (!force && existsSync(database)) {
    throw new ConfigError(`there is data already: ${database}`, {
      hint: 'restore into another directory that has the master.key, or stop any server that uses it and force the restore, which keeps a copy of the replaced data beside it',
    });
  }
  const staged = join(path, `.orgctl-${randomBytes(12).toString('hex')}.db`);
  try {
    await copyFile(backup, staged, constants.COPYFILE_EXCL);
    await chmod(staged, 0o600);
    const inspected = await inspectCopy(staged, `the backup ${backup}`, { data: path, masterKey });
    await makeDurable(staged);
    const replaced = await swap(staged, database);
    return { data: path, ...inspected, ...(replaced !== undefined && { replaced }) };
  } catch (error) {
    await rm(staged, { force: true });
    throw refuseWriting(`${backup} cannot be restored to ${path}`, error);
  }
}

/** Returns the new name of replaced data. */
async function swap(staged: string, database: string): Promise<string | undefined> {
  const kept = `${database}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const replaced = ['', '-wal', '-journal'].filter((end) => existsSync(`${database}${end}`));
  if (replaced.includes('')) {
    await requireUnused(database);
    await link(database, kept).catch(() => copyFile(database, kept));
  }
  // Logs of a damaged database: SQLite would apply them to the backup.
  for (const end of ['-wal', '-journal']) {
    if (existsSync(`${database}${end}`)) await rename(`${database}${end}`, `${kept}${end}`);
  }
  await renameDurably(staged, database);
  await syncParentDirectory(database);
  return replaced.length > 0 ? kept : undefined;
}

/** Opens and closes the old database, which merges its log, if it is not damaged. @throws DirectoryInUse */
async function requireUnused(database: string): Promise<void> {
  try {
    await (await openEngine(database, undefined)).close();
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
  }
}
