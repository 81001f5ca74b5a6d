import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { readMessage, readSystemCode } from '../../errors/errors.js';
import { LruMap } from '../../platform/lru-map.js';
import { StoreBroken, StoreUnavailable } from '../database/store-unavailable.js';
import type { SqliteConnection, Statement } from './connection.js';

const preparedStatements = 200;

/** Caches prepared statements, because preparing often takes longer than running. @param place named by errors */
export function preparedOnce(database: SqliteConnection, place: string): SqliteDatabase['prepare'] {
  const statements = new LruMap<string, SqliteStatement>(preparedStatements);
  const attempt = telling(place);
  return (text) => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = tellingStatement(
      attempt(() => database.prepare(text)),
      attempt,
    );
    statements.set(text, statement);
    return statement;
  };
}

type AttemptStatement = <Result>(run: () => Result) => Result;

function telling(place: string): AttemptStatement {
  return (run) => {
    try {
      return run();
    } catch (error) {
      const code = readSystemCode(error) ?? '';
      if (!sqliteFailures.test(code)) throw error;
      const Unavailable = damages.test(code) ? StoreBroken : StoreUnavailable;
      throw new Unavailable(place, readMessage(error), { cause: error });
    }
  };
}

function tellingStatement(statement: Statement, attempt: AttemptStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => attempt(() => statement.all(parameters)),
    run: (parameters) => attempt(() => statement.run(parameters)),
    iterate: (parameters) => statement.iterate(parameters),
  };
}

/** Failures that the query did not cause (https://sqlite.org/rescode.html). FOREIGNKEY: all content was replaced. */
const sqliteFailures = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|CONSTRAINT_FOREIGNKEY)/;

const damages = /^SQLITE_(CORRUPT|NOTADB)/;
