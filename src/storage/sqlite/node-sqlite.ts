import { DatabaseSync, type StatementSync, type Value } from 'node:sqlite';
import type { SqliteStatement } from 'kysely';
import type { OpenConnection, SqliteConnection } from './statements.js';

/** Replaces libsql in the single executable, and in the package if libsql cannot be loaded on Node.js 24 or later. */
export function loadSqlite(): Promise<OpenConnection> {
  return Promise.resolve(open);
}

function open(path: string): SqliteConnection {
  const database = nameErrors(() => new DatabaseSync(path));
  const prepare = (text: string) => nameErrors(() => wrapStatement(database.prepare(text)));
  return {
    prepare,
    exec: (text) => nameErrors(() => database.exec(text)),
    pragma: (text) => prepare(`PRAGMA ${text}`).all([]),
    close: () => database.close(),
  };
}

function wrapStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => nameErrors(() => statement.all(...parameters.map(bindable))),
    run: (parameters) => nameErrors(() => statement.run(...parameters.map(bindable))),
    iterate: (parameters) => nameErrors(() => statement.iterate(...parameters.map(bindable))),
  };
}

function bindable(value: unknown): Value {
  if (value === null || typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}

/** The lower byte of an extended code is the primary code. */
const codes: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};

/** Adds symbolic codes, as libsql does. */
function nameErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
      const { errcode } = error;
      Object.assign(error, { code: codes[errcode] ?? codes[errcode % 256] ?? `SQLITE_${errcode}` });
    }
    throw error;
  }
}
