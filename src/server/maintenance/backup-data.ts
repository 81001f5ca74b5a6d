import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  ConfigError,
  describeFileError,
  OrgctlError,
  readSystemCode,
  UsageError,
} from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { createPrivately, syncFile, syncParentDirectory } from '../../platform/durable-file.js';
import {
  closing,
  type DataSource,
  type InspectedData,
  inspectData,
  openCopy,
  withEmbedded,
} from './inspect-data.js';

export interface BackupOptions extends DataSource {
  readonly file: string;
}

export interface Backup extends InspectedData {
  readonly file: string;
}

/**
 * Copies the embedded database to a new file (0600), even while its server runs. The file appears only once it is checked
 * and durable.
 * @throws UsageError if the file exists; ConfigError if the data is missing or damaged, its key is missing, or the file
 * is unwritable
 */
export async function backUpData(options: BackupOptions): Promise<Backup> {
  const file = resolve(options.file);
  if (existsSync(file)) throw refuseExisting(file);
  const copy = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await createPrivately(copy, '');
    await withEmbedded(options, async (engine) => engine.copyTo?.(copy));
    const inspected = await closing(await openCopy(copy, `the backup ${file}`), (engine) =>
      inspectData(engine, `the backup ${file}`, options),
    );
    await makeDurable(copy);
    await link(copy, file);
    await syncParentDirectory(file);
    return { file, ...inspected };
  } catch (error) {
    if (error instanceof OrgctlError) throw error;
    if (readSystemCode(error) === 'EEXIST') throw refuseExisting(file);
    throw new ConfigError(`${file} cannot be written: ${describeFileError(error)}`, {
      ...adviseWriting(error),
      cause: error,
    });
  } finally {
    await rm(copy, { force: true });
  }
}

export async function makeDurable(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await syncFile(file);
  } finally {
    await file.close();
  }
}

function refuseExisting(file: string): UsageError {
  return new UsageError(`${file} already exists, and a backup never replaces a file`, {
    hint: 'choose another name, such as one with the date',
  });
}
