import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { readMessage, readSystemCode } from '../../errors/errors.js';
import { StoreBroken, StoreUnavailable } from '../engine.js';
import type { SqliteConnection } from './connection.js';

const preparedStatements = 200;

/** Keeps prepared statements, because preparing often takes longer than running. @param place named by errors */
export function preparedOnce(database: SqliteConnection, place: string): SqliteDatabase['prepare'] {
  const statements = new Map<string, SqliteStatement>();
  return (text) => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = telling(place, () => database.prepare(text));
    const { reader } = statement;
    const made: SqliteStatement = {
      reader,
      all: (parameters) => telling(place, () => statement.all(parameters)),
      run: (parameters) => telling(place, () => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters),
    };
    if (statements.size >= preparedStatements) statements.clear();
    statements.set(text, made);
    return made;
  };
}

/** Failures that the query did not cause (https://sqlite.org/rescode.html). FOREIGNKEY: all content was replaced. */
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
