import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import { z } from '../../api/schema/schema.js';
import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import { createPrivately } from '../../platform/durable-file.js';
import { type Engine, StoreBroken } from '../engine.js';
import { type Tables, writeSetting } from '../tables.js';
import { groupCommit } from './group-commit.js';
import { loadSqlite } from './libsql.js';
import { type OpenConnection, preparedOnce, type SqliteConnection } from './statements.js';

export const inMemory = ':memory:';

const sqliteHint =
  'check that the data directory is writable and its disk not full, or choose another data directory';

/** Opens or creates the database (0600), and locks other processes out. @throws ConfigError if it cannot be used */
export async function openSqlite(path: string): Promise<Engine> {
  const connect = await loadSqlite();
  if (path !== inMemory) await createIfMissing(path);
  const place = path === inMemory ? 'memory' : dirname(path);
  const connection = openExclusively(connect, path);
  const requireFiles = path === inMemory ? () => undefined : watchFiles(connection, path, place);
  const prepare = preparedOnce(connection, place);
  const run = (statement: string) => void prepare(statement).run([]);
  // `release` closes the connection, which Kysely would not do before its first query.
  const dialect = new SqliteDialect({ database: { prepare, close: () => undefined } });
  const database = new Kysely<Tables>({ dialect });
  const { write, settled } = groupCommit({ database, place, run, requireFiles });
  let isOpen = true;
  return {
    database,
    place,
    exclusive: true,
    types: { bytes: 'blob', sequence: 'integer primary key autoincrement' },
    write,
    writeOnce: write,
    writeAlone: write,
    readSnapshot: write,
    alone: (work) => work(),
    // Holds the connection: SQLite cannot copy within a transaction.
    copyTo: (file) =>
      database.connection().execute(async () => {
        preparedOnce(connection, file)('vacuum into ?').run([file]);
      }),
    findDamage: () => findProblems(connection, 'integrity_check'),
    // Nothing but a write shows that the disk is full or read-only.
    requireReady: () => write((transaction) => writeSetting(transaction, 'last_probe', 'now')),
    async close() {
      await settled();
      await database.destroy();
      if (isOpen) release(connection, requireFiles);
      isOpen = false;
    },
    hint: sqliteHint,
  };
}

// Opens no existing file: closing it would drop this process's locks.
function createIfMissing(path: string): Promise<void> {
  requireContent(path);
  return createPrivately(path, '').catch((error: unknown) => {
    if (readSystemCode(error) !== 'EEXIST') throw unusableDatabase(path, error);
  });
}

/** A killed first start leaves an empty database, too, but no such files beside it. @throws DamagedDatabase */
function requireContent(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  // Tables need a second page.
  if (size === undefined || size > 4096 || existsSync(`${path}-wal`)) return;
  const [aside, certificate] = [`${path}-wal.of-replaced`, join(dirname(path), 'ca.pem')];
  const [left, hint] = existsSync(aside)
    ? [aside, `rename that file to ${path}-wal, or restore a backup`]
    : [certificate, `restore a backup, or delete ${path} to start without its data`];
  if (existsSync(left)) throw new DamagedDatabase(path, `it is empty, but a server left ${left}`, { hint });
}

function openExclusively(connect: OpenConnection, path: string): SqliteConnection {
  let database: SqliteConnection | undefined;
  try {
    database = connect(path);
    database.pragma('busy_timeout = 1500');
    // Must precede the journal mode, so that the log needs no shared memory.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    // FULL: a confirmed commit survives a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    // The pragma alone does not take the lock; the first write does.
    database.exec('BEGIN IMMEDIATE; COMMIT');
    const [problem, ...problems] = findProblems(database, 'quick_check');
    if (problem !== undefined) throw new DamagedDatabase(path, problem, { problems });
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof ConfigError ? error : unusableDatabase(path, error);
  }
}

const problemSchema = z.object({ problem: z.string() });

function findProblems(database: SqliteConnection, check: 'quick_check' | 'integrity_check'): string[] {
  const rows = database.prepare(
    `select ${check} as problem from pragma_${check} union all
      select "table" || ': a row whose ' || parent || ' is missing' from pragma_foreign_key_check limit 10`,
  );
  const problems = rows.all([]).map((row) => z.parse(problemSchema, row).problem);
  return problems.filter((problem) => problem !== 'ok');
}

/** SQLite would go on writing to a deleted or replaced file. @returns a check that throws StoreBroken once one is */
function watchFiles(connection: SqliteConnection, database: string, place: string): () => void {
  const log = `${database}-wal`;
  const known = new Map([database, log].map((path) => [path, identify(path)]));
  const isLost = (path: string) => identify(path) !== known.get(path);
  return () => {
    const lost = [database, log].find(isLost);
    if (lost === undefined) return;
    if (lost === database && !isLost(log)) detach(connection, database, log);
    const reason = 'was deleted, moved or replaced; put it back and restart the server to write again';
    throw new StoreBroken(place, `${lost} ${reason}`);
  };
}

/** The next process would apply the log to the database that replaced this one. Whoever puts this one back needs it whole. */
function detach(connection: SqliteConnection, database: string, log: string): void {
  try {
    if (identify(database) !== undefined) renameSync(log, `${log}.of-replaced`);
    connection.pragma('wal_checkpoint(FULL)');
  } catch {
    // The loss is reported anyway.
  }
}

function identify(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch (error) {
    return readMessage(error);
  }
}

/** libsql keeps a closed file locked until its statements are garbage collected, so this releases the lock itself. */
function release(database: SqliteConnection, requireFiles: () => void): void {
  try {
    requireFiles();
    database.pragma('journal_mode = DELETE');
    database.pragma('locking_mode = NORMAL');
    // The pragma alone does not release the lock; the next access does.
    database.exec('SELECT 1 FROM sqlite_schema');
  } catch (error) {
    // The database's files are no longer at the path: remove nothing there.
    if (!(error instanceof StoreBroken)) throw error;
  } finally {
    database.close();
  }
}

export class DirectoryInUse extends ConfigError {}

export class DamagedDatabase extends ConfigError {
  readonly problem: string;

  constructor(path: string, problem: string, details: ConstructorParameters<typeof ConfigError>[1] = {}) {
    super(`the database ${path} is damaged: ${problem}`, { hint: 'restore a backup', ...details });
    this.problem = problem;
  }
}

function unusableDatabase(path: string, cause: unknown): ConfigError {
  const code = readSystemCode(cause) ?? '';
  if (code.startsWith('SQLITE_BUSY')) {
    const hint = 'choose another data directory, or stop that server';
    return new DirectoryInUse(`the data directory ${dirname(path)} is in use by a server`, { hint, cause });
  }
  const reason = readMessage(cause);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return new DamagedDatabase(path, reason, { cause });
  return new ConfigError(`${path} cannot be used as the database: ${reason}`, { hint: sqliteHint, cause });
}
