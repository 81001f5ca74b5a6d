import { constants } from 'node:fs';
import { chmod, copyFile, link, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serverFileName, serverLogName, sharedServersName } from '../../api/control/control.js';
import { ConfigError, describeFileError, readSystemCode, UsageError } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { renameDurably, syncParentDirectory } from '../../platform/durable-file.js';
import { withLocked } from '../../storage/sqlite/with-locked.js';
import { type DataDirectory, databaseName, openDataDirectory } from '../data/data-directory.js';
import type { KnownKey } from '../data/master-key-text.js';
import { oldMasterKeysName } from '../data/old-master-keys.js';
import { sessionsName } from '../data/stored-sessions.js';
import { type DataSource, type InspectedData, type InspectOptions, inspectCopy } from './inspected-data.js';
import { resealCopy } from './reseal-copy.js';
import { keyWith, type RestoreKeys, restoreKeys, secureKey } from './restore-keys.js';
import { withStaging } from './staging.js';

export interface RestoreOptions extends DataSource {
  readonly file: string;
  readonly force?: boolean | undefined;
}

export interface Restored extends InspectedData {
  readonly data: string;
  readonly replaced?: string;
  readonly backupFingerprint: string;
}

/** Keys, certificates and files about a server are not data: a directory with only these counts as empty. */
const notData = new Set([
  'master.key',
  'master.key.new',
  oldMasterKeysName,
  'ca.pem',
  'ca-key.pem',
  serverLogName,
  `${serverLogName}.1`,
  'server.pem',
  'server-key.pem',
  sessionsName,
  serverFileName,
  sharedServersName,
]);

const logSuffixes = ['-wal', '-journal', '-shm'] as const;

/**
 * Replaces the embedded database with a backup, after checking the backup with its master key. If that key has since
 * been replaced, re-encrypts the data with the current one. A kill leaves either the old or the new data in place, with
 * its key. Keeps the old data beside the new. A failure removes the directories that it made, unless they have files.
 * @throws UsageError if the backup is not a file; ConfigError if the directory is in use or not writable, if it is not
 * empty and `force` is not set, or if the backup is damaged or needs another key
 */
export async function restoreData(options: RestoreOptions): Promise<Restored> {
  const backup = resolve(options.file);
  await requireRegular(backup);
  const directory = await openDataDirectory(options.data);
  try {
    return await restoreInto(directory, backup, options);
  } catch (error) {
    // Keeps directories that are not empty.
    for (const path of directory.made) await rmdir(path).catch(() => undefined);
    throw error;
  }
}

async function restoreInto(
  { path, database, made }: DataDirectory,
  backup: string,
  { masterKey, force = false }: RestoreOptions,
): Promise<Restored> {
  if (!force) await requireEmpty(path);
  const known = await restoreKeys({ data: path, masterKey }, made.length > 0);
  return withStaging(path, async (directory) => {
    const staged = join(directory, databaseName);
    await copyFile(backup, staged, constants.COPYFILE_EXCL).catch((error: unknown) => {
      throw new ConfigError(`${backup} cannot be copied to ${path}: ${describeFileError(error)}`, {
        ...adviseWriting(error),
        cause: error,
      });
    });
    await chmod(staged, 0o600);
    const hint = 'use another backup; nothing was changed';
    const options = { name: `the backup ${backup}`, hint, ...known };
    const found = await inspectCopy(staged, options, 'plain');
    const { key, inspected } = await withCurrentKey(staged, found, options);
    const secure = () => secureKey({ data: path, masterKey }, key);
    const replaced = await swapDatabase(staged, database, secure).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(`${database} cannot be written: ${describeFileError(error)}`, {
        ...adviseWriting(error),
        cause: error,
      });
    });
    const backupFingerprint = found.fingerprint;
    return { data: path, ...inspected, backupFingerprint, ...(replaced !== undefined && { replaced }) };
  });
}

async function withCurrentKey(
  staged: string,
  inspected: InspectedData,
  options: InspectOptions & RestoreKeys,
): Promise<{ readonly inspected: InspectedData; readonly key: KnownKey }> {
  const key = keyWith(inspected.fingerprint, options.keys);
  if (key === undefined) throw new Error('data was decrypted with a key that was not given');
  const [current] = options.current;
  if (current === undefined || keyWith(inspected.fingerprint, options.current)) return { inspected, key };
  await resealCopy(staged, { current: key.key, next: current.key }, options.hint);
  return { inspected: await inspectCopy(staged, { ...options, keys: [current] }), key: current };
}

async function requireRegular(backup: string): Promise<void> {
  const found = await stat(backup).catch((cause: unknown) => {
    throw new UsageError(`${backup}: ${describeFileError(cause)}`, { cause });
  });
  if (!found.isFile()) throw new UsageError(`${backup} is not a regular file`);
}

async function requireEmpty(path: string): Promise<void> {
  const found = (await readdir(path)).filter((name) => !notData.has(name) && !name.startsWith('.orgctl-'));
  if (found.length === 0) return;
  throw new ConfigError(`the data directory ${path} is not empty: ${found.slice(0, 3).join(', ')}`, {
    hint: 'restore into a directory that is empty or has only the master.key, or stop any server that uses it and force the restore, which keeps a copy of the replaced data beside it',
  });
}

/** Returns the new name of replaced data. @param secure stores the key while the data is locked */
async function swapDatabase(
  staged: string,
  database: string,
  secure: () => Promise<void>,
): Promise<string | undefined> {
  const { size } = await stat(database).catch((error: unknown) => {
    if (readSystemCode(error) === 'ENOENT') return { size: undefined };
    throw error;
  });
  const kept = `${database}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const hasLogs = await withLocked(database, async () => {
    await secure();
    if (size !== undefined) await link(database, kept).catch(() => copyFile(database, kept));
    // Otherwise SQLite would apply the old data's log to the backup.
    const hadLogs = await setLogsAside(database, kept);
    await renameDurably(staged, database);
    return hadLogs;
  });
  await syncParentDirectory(database);
  return size === undefined && !hasLogs ? undefined : kept;
}

async function setLogsAside(database: string, kept: string): Promise<boolean> {
  let found = false;
  for (const ending of logSuffixes) {
    const log = `${database}${ending}`;
    const { size } = await stat(log).catch(() => ({ size: undefined }));
    if (size === 0) await rm(log, { force: true });
    else if (size !== undefined) {
      await rename(log, `${kept}${ending}`);
      found = true;
    }
  }
  return found;
}
