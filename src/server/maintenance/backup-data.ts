import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError, describeFileError, OrgctlError, UsageError } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { createPrivately, syncFile, syncParentDirectory } from '../../platform/durable-file.js';
import { type DataSource, type InspectedData, inspectCopy, withEmbedded } from './check-data.js';

interface Backup extends InspectedData {
  readonly file: string;
}

/**
 * Copies the embedded database to a new file (0600), even while its server runs. The file appears only once it is checked
 * and durable.
 * @throws UsageError if the file exists; ConfigError if the data is missing or damaged, its key is missing, or the file
 * is unwritable
 */
export async function backUpData(options: DataSource & { readonly file: string }): Promise<Backup> {
  const file = resolve(options.file);
  const copy = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    requireNew(file);
    await createPrivately(copy, '');
    await withEmbedded(options.data, async (engine) => engine.copyTo?.(copy));
    const inspected = await inspectCopy(copy, `the backup ${file}`, options);
    await makeDurable(copy);
    requireNew(file);
    // Unlike a rename, never replaces a file.
    await link(copy, file);
    await syncParentDirectory(file);
    return { file, ...inspected };
  } catch (error) {
    throw refuseWriting(`${file} cannot be written`, error);
  } finally {
    await rm(copy, { force: true });
  }
}

function requireNew(file: string): void {
  if (!existsSync(file)) return;
  throw new UsageError(`${file} already exists, and a backup never replaces a file`, {
    hint: 'choose another name, such as one with the date',
  });
}

export async function makeDurable(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await syncFile(file).finally(() => file.close());
}

/** A failed step of a backup or restore: our own errors as they are. */
export function refuseWriting(what: string, error: unknown): OrgctlError {
  if (error instanceof OrgctlError) return error;
  const details = { ...adviseWriting(error), cause: error };
  return new ConfigError(`${what}: ${describeFileError(error)}`, details);
}
