import { constants } from 'node:fs';
import { chmod, copyFile, link, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serverFileName, sharedServersName } from '../../api/control/control.js';
import { ConfigError, readMessage, readSystemCode, UsageError } from '../../errors/errors.js';
import { option } from '../../errors/server-option.js';
import { renameDurably, syncParentDirectory } from '../../platform/durable-file.js';
import { withLocked } from '../../storage/sqlite/with-locked.js';
import { databaseName, openDataDirectory } from '../data/data-directory.js';
import type { KnownKey } from '../data/master-key-text.js';
import { oldMasterKeysName } from '../data/old-master-keys.js';
import { sessionsName } from '../data/stored-sessions.js';
import { type DataSource, type InspectedData, type InspectOptions, inspectCopy } from './inspected-data.js';
import { resealCopy } from './reseal-copy.js';
import { keyWith, type RestoreKeys, restoreKeys, secureKey } from './restore-keys.js';
import { withStaging } from './staging.js';

export interface RestoreOptions extends DataSource {
  /** The backup. */
  readonly file: string;
  /** Whether to put it in the place of data that is there. */
  readonly force?: boolean | undefined;
}

/** What was restored, where it is now, and what was there before, if anything. */
export interface Restored extends InspectedData {
  readonly data: string;
  readonly replaced?: string;
  /** Of the key that the backup needed; `fingerprint` is of the one that the restored data has. */
  readonly backupFingerprint: string;
}

/** What may be in a directory that counts as empty: keys and certificates are not data, and stay. */
const notData = new Set([
  'master.key',
  'master.key.new',
  oldMasterKeysName,
  'ca.pem',
  'ca-key.pem',
  'server.pem',
  'server-key.pem',
  sessionsName,
  // Left by a server that was killed.
  serverFileName,
  sharedServersName,
]);

const logSuffixes = ['-wal', '-journal', '-shm'] as const;

/**
 * Puts a backup in the place of the embedded database, once everything in it was checked with the master key that it
 * needs. If that was replaced since, the restored data is encrypted with the current one. At any moment the directory has
 * the data from before, or that of the backup, whole, and the key of either. What was there before is kept beside it.
 * @throws ConfigError when a server uses the directory, it is not empty and `force` is not given, the backup is damaged
 * or needs another master key, or the directory cannot be written.
 */
export async function restoreData({
  data,
  file,
  masterKey,
  force = false,
}: RestoreOptions): Promise<Restored> {
  const backup = resolve(file);
  await requireRegular(backup);
  const { path, database } = await openDataDirectory(data);
  if (!force) await requireEmpty(path);
  const known = await restoreKeys({ data: path, masterKey });
  return withStaging(path, async (directory) => {
    const staged = join(directory, databaseName);
    await copyFile(backup, staged, constants.COPYFILE_EXCL);
    await chmod(staged, 0o600);
    const hint = 'take another backup; nothing was changed';
    const options = { name: `the backup ${backup}`, hint, ...known };
    const found = await inspectCopy(staged, options, 'plain');
    const { key, inspected } = await withCurrentKey(staged, found, options);
    const secure = () => secureKey({ data: path, masterKey }, key);
    const replaced = await swapDatabase(staged, database, secure).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(`${database} cannot be written: ${readMessage(error)}`, { cause: error });
    });
    const backupFingerprint = found.fingerprint;
    return { data: path, ...inspected, backupFingerprint, ...(replaced !== undefined && { replaced }) };
  });
}

/** The copy with a key that the next start looks for: its own, or else encrypted with the current one, if there is one. */
async function withCurrentKey(
  staged: string,
  inspected: InspectedData,
  options: InspectOptions & RestoreKeys,
): Promise<{ readonly inspected: InspectedData; readonly key: KnownKey }> {
  const key = keyWith(inspected.fingerprint, options.keys);
  if (key === undefined) throw new Error('data was opened by a key that is none of those given');
  const [current] = options.current;
  if (current === undefined || keyWith(inspected.fingerprint, options.current)) return { inspected, key };
  await resealCopy(staged, { current: key.key, next: current.key }, options.hint);
  return { inspected: await inspectCopy(staged, { ...options, keys: [current] }), key: current };
}

async function requireRegular(backup: string): Promise<void> {
  const found = await stat(backup).catch((cause: unknown) => {
    throw new UsageError(`${backup}: ${readMessage(cause)}`, { cause });
  });
  if (!found.isFile()) throw new UsageError(`${backup} is not a regular file`);
}

async function requireEmpty(path: string): Promise<void> {
  const found = (await readdir(path)).filter((name) => !notData.has(name) && !name.startsWith('.orgctl-'));
  if (found.length === 0) return;
  throw new ConfigError(`the data directory ${path} is not empty: ${found.slice(0, 3).join(', ')}`, {
    hint: `restore into an empty one, with its master.key alone, or replace the data that is there with ${option('force')}; it is kept beside it`,
  });
}

/**
 * Returns the new name of what was there, if anything was.
 * @param secure makes sure of the key, while the data is locked
 */
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
    // A log of other data would be taken for that of the backup.
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
