import { randomBytes } from 'node:crypto';
import { constants, existsSync, statSync } from 'node:fs';
import { chmod, copyFile, link, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  adviseWriting,
  ConfigError,
  describeFileError,
  OrgctlError,
  UsageError,
} from '../../errors/errors.js';
import {
  createPrivately,
  renameDurably,
  syncFile,
  syncParentDirectory,
} from '../../platform/durable-file.js';
import { DamagedDatabase } from '../../storage/sqlite/engine.js';
import { openDataDirectory, openEngine } from '../data/data-directory.js';
import { type DataSource, type InspectedData, inspectCopy, withEmbedded } from './check-data.js';

/**
 * Copies the embedded database to a new file (0600), even while its server runs. The file appears once it is checked and
 * durable. @throws UsageError if it exists; ConfigError if it is unwritable, or data or key are missing or damaged
 */
export async function backUpData(options: DataSource & { readonly file: string }) {
  const file = resolve(options.file);
  const copy = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  return replacing(copy, `${file} cannot be written`, async () => {
    if (existsSync(file)) throw new UsageError(`${file} already exists, and a backup never replaces a file`);
    await createPrivately(copy, '');
    await withEmbedded(options, async (engine) => engine.copyTo?.(copy));
    const inspected = await inspectCopy(copy, `the backup ${file}`, options);
    await makeDurable(copy);
    // Unlike a rename, never replaces a file.
    await link(copy, file);
    await syncParentDirectory(file);
    return { file, ...inspected };
  });
}

/** Runs work, then removes its temporary file. @throws ConfigError */
async function replacing<Result>(temporary: string, failure: string, work: () => Promise<Result>) {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof OrgctlError) throw cause;
    const details = { ...adviseWriting(cause), cause };
    throw new ConfigError(`${failure}: ${describeFileError(cause)}`, details);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function makeDurable(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await syncFile(file).finally(() => file.close());
}

/**
 * Checks a copy of a backup and replaces the embedded database with it. A kill leaves either the old or the new data in
 * place. Keeps the old data beside the new, as `replaced`.
 * @throws UsageError if the backup is not a file; ConfigError if it cannot be used, or if there is data and no `force`
 */
export async function restoreData(
  options: DataSource & { readonly file: string; readonly force?: boolean | undefined },
): Promise<InspectedData & { readonly data: string; readonly replaced?: string }> {
  const { file, force, data, masterKey } = options;
  const backup = resolve(file);
  if (!statSync(backup, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`${backup} is not a file`);
  const { path, database } = await openDataDirectory(data);
  if (!force && existsSync(database)) {
    const hint =
      'restore into another directory that has the master.key, or force it, which keeps the old data beside the new';
    throw new ConfigError(`there is data already: ${database}`, { hint });
  }
  const staged = join(path, `.orgctl-${randomBytes(12).toString('hex')}.db`);
  return replacing(staged, `${backup} cannot be restored to ${path}`, async () => {
    await copyFile(backup, staged, constants.COPYFILE_EXCL);
    await chmod(staged, 0o600);
    const inspected = await inspectCopy(staged, `the backup ${backup}`, { data: path, masterKey });
    await makeDurable(staged);
    const replaced = await swap(staged, database);
    return { data: path, ...inspected, ...(replaced !== undefined && { replaced }) };
  });
}

/** Returns the old database's new name, if any. */
async function swap(staged: string, database: string): Promise<string | undefined> {
  const kept = `${database}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const isThere = existsSync(database);
  if (isThere) {
    await requireUnused(database);
    await link(database, kept).catch(() => copyFile(database, kept));
  }
  // SQLite would apply the logs of a damaged database to the backup.
  const logs = ['-wal', '-journal'].filter((end) => existsSync(`${database}${end}`));
  for (const end of logs) await rename(`${database}${end}`, `${kept}${end}`);
  await renameDurably(staged, database);
  return isThere || logs.length > 0 ? kept : undefined;
}

/** Opens and closes the database, which also merges its log. @throws ConfigError if it is in use */
async function requireUnused(database: string): Promise<void> {
  try {
    await (await openEngine(database, undefined)).close();
  } catch (error) {
    if (!(error instanceof DamagedDatabase)) throw error;
  }
}
