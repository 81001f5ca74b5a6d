import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Engine } from '../../storage/engine/engine.js';
import { DamagedDatabase } from '../../storage/sqlite/damaged-database.js';
import { DirectoryInUse, inMemory, openSqlite } from '../../storage/sqlite/engine.js';
import { masterKeyName } from './master-key-file.js';

/** Opens the database; loads PostgreSQL's driver only on demand. @throws ConfigError if it cannot be opened */
export async function openEngine(path: string, shared: string | undefined): Promise<Engine> {
  if (shared === undefined) {
    if (path !== inMemory) await requireNotEmptied(path);
    return openOwn(path);
  }
  const { openPostgres } = await import('../../storage/postgres/engine.js');
  return openPostgres(shared);
}

/** Servers that start together may refuse each other, so tries again while no server says that it has the data. */
async function openOwn(path: string, attempts = 20): Promise<Engine> {
  try {
    return await openSqlite(path);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    const { describeHolder } = await import('./holder.js');
    const holder = describeHolder(dirname(path));
    if (holder !== '' || attempts === 1) throw Object.assign(error, { message: `${error.message}${holder}` });
  }
  // Random, so that two that collided do not collide again.
  await new Promise((resolve) => setTimeout(resolve, 20 + 60 * Math.random()));
  return openOwn(path, attempts - 1);
}

/**
 * SQLite treats an emptied file as a new database; a log or a master key shows that there was data.
 * @throws DamagedDatabase
 */
export async function requireNotEmptied(path: string): Promise<void> {
  const [database, log, key] = await Promise.all([
    readSize(path),
    readSize(`${path}-wal`),
    readSize(join(dirname(path), masterKeyName)),
  ]);
  const wasUsed = log !== undefined && log > 0;
  if (database === undefined && wasUsed)
    throw new DamagedDatabase(path, ['the file is missing, but its log exists']);
  if (database === 0 && (wasUsed || key !== undefined)) {
    throw new DamagedDatabase(path, ['it is empty; delete it if it never held data']);
  }
}

function readSize(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}
