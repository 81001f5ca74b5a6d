import { stat } from 'node:fs/promises';
import { ConfigError, readSystemCode } from '../../errors/errors.js';
import type { OpenConnection, SqliteConnection } from './connection.js';
import { inUse } from './engine.js';
import { loadSqlite } from './libsql.js';

/**
 * Merges the write-ahead log and locks servers out while `work` runs. Takes no lock if the database is missing or
 * unusable.
 * @throws ConfigError if a server has the database open
 */
export async function withLocked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const locked = (await fileExists(path)) ? lock(await loadSqlite(), path) : undefined;
  try {
    return await work();
  } finally {
    locked?.close();
  }
}

/**
 * Leaves WAL mode but keeps the lock: closing a WAL connection would delete the log at the path, which may by then
 * belong to another database.
 */
function lock(connect: OpenConnection, path: string): SqliteConnection | undefined {
  let database: SqliteConnection | undefined;
  try {
    database = connect(path);
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN IMMEDIATE; COMMIT');
    database.pragma('journal_mode = DELETE');
    return database;
  } catch (error) {
    database?.close();
    if (readSystemCode(error)?.startsWith('SQLITE_BUSY')) throw inUse(path, error);
    if (error instanceof ConfigError) throw error;
    return undefined;
  }
}

function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}
