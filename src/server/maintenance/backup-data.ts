import { constants } from 'node:fs';
import { link, lstat, open, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, describeFileError, readSystemCode, UsageError } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { syncFile, syncParentDirectory } from '../../platform/durable-file.js';
import { whyNotPrivate } from '../../platform/own-file.js';
import { databaseName } from '../data/data-directory.js';
import { requireNotEmptied } from '../data/open-engine.js';
import {
  type DataSource,
  type InspectedData,
  inspectCopy,
  knownKeys,
  requireDatabase,
} from './inspected-data.js';
import { withCopy } from './staging.js';

export interface BackupOptions extends DataSource {
  readonly file: string;
}

export interface Backup extends InspectedData {
  readonly file: string;
}

/**
 * Copies the embedded database to a new file (0600), even while its server runs. The file has the master key's
 * fingerprint but not the key, and appears only once it is checked and durable.
 * @throws UsageError if the file exists; ConfigError if the data is missing or damaged, its key is missing, or the file
 * is unwritable
 */
export async function backUpData({ data, file, masterKey }: BackupOptions): Promise<Backup> {
  const path = resolve(data);
  const target = resolve(file);
  const database = join(path, databaseName);
  await requireDatabase(database);
  await requireNotEmptied(database);
  await requireFree(target);
  const keys = await knownKeys({ data: path, masterKey });
  return withCopy(database, dirname(target), async (copy) => {
    const damaged = { hint: 'restore an older backup' };
    await inspectCopy(copy, { name: `the database ${database}`, ...damaged, keys }, 'stamped');
    await writeThrough(copy);
    const written = await inspectCopy(copy, { name: `the backup ${target}`, hint: 'back up again', keys });
    await writeThrough(copy);
    await give(copy, target);
    return { file: target, ...written };
  });
}

async function requireFree(target: string): Promise<void> {
  const found = await lstat(target).catch((error: unknown) => {
    if (readSystemCode(error) === 'ENOENT') return undefined;
    throw new ConfigError(`${target} cannot be written: ${describeFileError(error)}`, {
      ...adviseWriting(error),
      cause: error,
    });
  });
  if (found !== undefined) throw refuseExisting(target);
}

async function writeThrough(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    await file.chmod(0o600);
    const problem = whyNotPrivate(await file.stat());
    if (problem !== undefined)
      throw new ConfigError(`secrets cannot be stored in ${dirname(path)}: ${problem}`);
    await syncFile(file);
  } finally {
    await file.close();
  }
}

/** Links the copy, which fails if the file exists. If links do not work, checks for the file and renames the copy. */
async function give(copy: string, target: string): Promise<void> {
  try {
    await link(copy, target).catch(async (error: unknown) => {
      if (readSystemCode(error) === 'EEXIST') throw refuseExisting(target);
      await requireFree(target);
      await rename(copy, target);
    });
    await syncParentDirectory(target);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new ConfigError(`${target} cannot be written: ${describeFileError(error)}`, {
      ...adviseWriting(error),
      cause: error,
    });
  }
}

function refuseExisting(target: string): UsageError {
  return new UsageError(`${target} already exists, and a backup never replaces a file`, {
    hint: 'choose another name, such as one with the date',
  });
}
