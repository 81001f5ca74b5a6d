import { dirname } from 'node:path';
import { type ColumnDefinitionBuilder, type SqliteDatabase, SqliteDialect } from 'kysely';
import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import { createPrivately } from '../../platform/durable-file.js';
import type { Engine } from '../engine/engine.js';
import type { OpenConnection, SqliteConnection } from './connection.js';
import { findDamage } from './damage.js';
import { DamagedDatabase } from './damaged-database.js';
import { FileWatch } from './file-watch.js';
import { loadSqlite } from './libsql.js';
import { rememberSchema } from './schema-digest.js';
import { preparedOnce } from './statements.js';

export const inMemory = ':memory:';

const sqliteHint =
  'check that the data directory is writable and its disk not full, or choose another data directory';

/**
 * Opens (or creates, 0600) the embedded database and locks all other processes out until it is closed.
 * @param full whether to check even a large database thoroughly
 * @throws ConfigError if it is in use, inaccessible, damaged or not a database
 */
export async function openSqlite(path: string, { full = false } = {}): Promise<Engine> {
  const connect = await loadSqlite();
  if (path !== inMemory) await createIfMissing(path);
  const place = path === inMemory ? 'memory' : dirname(path);
  const database = openExclusively(connect, path, full);
  const watch = path === inMemory ? undefined : new FileWatch(path, place, database);
  return {
    dialect: new SqliteDialect({ database: releasing(database, place, watch) }),
    place,
    exclusive: true,
    bytes: 'blob',
    counter: 'integer',
    sequence: (column: ColumnDefinitionBuilder) => column.primaryKey().autoIncrement(),
    lockSchema: () => Promise.resolve(),
    alone: (work) => work(),
    schemaChanged: rememberSchema,
    // Only a write shows whether the database is ready, and the store tries one next.
    requireReady: () => Promise.resolve(),
    ...(watch !== undefined && { commits: watch }),
    hint: sqliteHint,
  };
}

// SQLite treats an empty file as a new database. Opens no existing file: closing it would drop this process's locks.
async function createIfMissing(path: string): Promise<void> {
  try {
    await createPrivately(path, '');
  } catch (error) {
    if (readSystemCode(error) !== 'EEXIST') throw unusableDatabase(path, error);
  }
}

function openExclusively(connect: OpenConnection, path: string, full: boolean): SqliteConnection {
  let database: SqliteConnection | undefined;
  try {
    database = connect(path);
    // Must precede the journal mode, so that the log needs no shared memory.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    // FULL: a confirmed commit survives a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    // The pragma alone does not take the lock; the first write does.
    database.exec('BEGIN IMMEDIATE; COMMIT');
    const damage = findDamage(database, full);
    if (damage.length > 0) throw new DamagedDatabase(path, damage);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof ConfigError ? error : unusableDatabase(path, error);
  }
}

/** libsql keeps a closed file locked until its statements are garbage collected, so `close` releases the lock itself. */
function releasing(database: SqliteConnection, place: string, watch: FileWatch | undefined): SqliteDatabase {
  return {
    prepare: preparedOnce(database, place),
    close() {
      // The database's files are no longer at the path: remove nothing there.
      if (watch?.isInPlace() === false) return void database.close();
      try {
        database.pragma('journal_mode = DELETE');
        database.pragma('locking_mode = NORMAL');
        // The pragma alone does not release the lock; the next access does.
        database.exec('SELECT 1 FROM sqlite_schema');
      } finally {
        database.close();
      }
    },
  };
}

export class DirectoryInUse extends ConfigError {}

export function inUse(path: string, cause: unknown): ConfigError {
  return new DirectoryInUse(`the data directory ${dirname(path)} is in use by a server`, {
    hint: 'stop it first',
    cause,
  });
}

function unusableDatabase(path: string, error: unknown): ConfigError {
  const code = readSystemCode(error) ?? '';
  if (code.startsWith('SQLITE_BUSY')) return inUse(path, error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return new DamagedDatabase(path, [readMessage(error)], error);
  return new ConfigError(`${path} cannot be used as the database: ${readMessage(error)}`, {
    hint: sqliteHint,
    cause: error,
  });
}
