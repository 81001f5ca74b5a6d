import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { adviseWriting } from '../../errors/write-failure.js';
import { copyDatabase } from '../../storage/sqlite/copy-database.js';

/** Runs `work` with a private temporary directory, which a kill can leave behind. @throws ConfigError */
export async function withStaging<Result>(
  parent: string,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(parent, '.orgctl-')).catch((error: unknown) => {
    throw new ConfigError(`cannot write to ${parent}: ${describeFileError(error)}`, {
      ...adviseWriting(error),
      cause: error,
    });
  });
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}

export function withCopy<Result>(
  database: string,
  parent: string,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  return withStaging(parent, async (directory) => {
    const copy = join(directory, 'copy.db');
    await copyDatabase(database, copy).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(`${database} cannot be copied to ${parent}: ${describeFileError(error)}`, {
        hint: 'check that it is readable and that the disk has room for a copy',
        cause: error,
      });
    });
    return work(copy);
  });
}
