import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serverFileName } from '../../api/control/control.js';
import { serverFileSchema } from '../../api/control/control-answers.js';
import { z } from '../../api/schema/schema.js';
import type { Engine } from '../../storage/engine.js';
import { DamagedDatabase, DirectoryInUse, inMemory, openSqlite } from '../../storage/sqlite/engine.js';
import { masterKeyName } from './master-key.js';
import { readIfThere, requireOwnIfThere } from './private-file.js';

/** Opens the database; loads PostgreSQL's driver only on demand. @throws ConfigError if it cannot be opened */
export async function openEngine(path: string, shared: string | undefined): Promise<Engine> {
  if (shared !== undefined) {
    const { openPostgres } = await import('../../storage/postgres/engine.js');
    return openPostgres(shared);
  }
  if (path === inMemory) return openSqlite(path);
  requireOwnIfThere(path, 'secret');
  requireNotEmptied(path);
  return openSqlite(path).catch((error: unknown) => {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw Object.assign(error, { message: `${error.message}${describeHolder(dirname(path))}` });
  });
}

/** SQLite treats an emptied file as a new database; the master key shows that there was data. @throws DamagedDatabase */
function requireNotEmptied(path: string): void {
  const key = statSync(join(dirname(path), masterKeyName), { throwIfNoEntry: false });
  if (key === undefined || statSync(path, { throwIfNoEntry: false })?.size !== 0) return;
  throw new DamagedDatabase(path, 'it is empty; delete it if it never held data');
}

/** Such as ` (https://127.0.0.1:8443, process 4711)`; empty if `server.json` does not say. */
function describeHolder(directory: string): string {
  try {
    const file = JSON.parse(readIfThere(join(directory, serverFileName), 'secret') ?? '');
    const { url, pid } = z.parse(serverFileSchema, file);
    return ` (${url}, process ${pid})`;
  } catch {
    return '';
  }
}
