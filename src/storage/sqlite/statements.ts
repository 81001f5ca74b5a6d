import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { readMessage, readSystemCode } from '../../errors/errors.js';
import { StoreBroken, StoreUnavailable } from '../engine.js';

const preparedStatements = 200;

/** Caches statements: preparing often takes longer than running. @param place for errors */
export function preparedOnce(database: SqliteConnection, place: string): SqliteDatabase['prepare'] {
  const statements = new Map<string, SqliteStatement>();
  return (text) => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = telling(place, () => database.prepare(text));
    const made: SqliteStatement = {
      reader: statement.reader,
      all: (parameters) => telling(place, () => statement.all(parameters).map(withBytes)),
      run: (parameters) => telling(place, () => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters),
    };
    if (statements.size >= preparedStatements) statements.clear();
    statements.set(text, made);
    return made;
  };
}

/** libsql returns ArrayBuffers. */
function withBytes(row: unknown): unknown {
  for (const [name, value] of Object.entries(row ?? {}))
    if (value instanceof ArrayBuffer) Object.assign(row ?? {}, { [name]: new Uint8Array(value) });
  return row;
}

/** Failures that the query did not cause. FOREIGNKEY: a reset replaced all content meanwhile. */
const failures = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|CONSTRAINT_FOREIGNKEY)/;
const damages = /^SQLITE_(CORRUPT|NOTADB)/;

function telling<Result>(place: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    const code = readSystemCode(error) ?? '';
    if (!failures.test(code)) throw error;
    const Unavailable = damages.test(code) ? StoreBroken : StoreUnavailable;
    throw new Unavailable(place, readMessage(error), { cause: error });
  }
}

/** Errors have symbolic codes, such as `SQLITE_BUSY`. */
export interface SqliteConnection {
  prepare(text: string): SqliteStatement;
  exec(text: string): unknown;
  pragma(text: string): unknown;
  close(): unknown;
}

export type OpenConnection = (path: string) => SqliteConnection;
