import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { readMessage, readSystemCode } from '../../errors/errors.js';
import { LruMap } from '../../platform/lru-map.js';
import { StoreBroken, StoreUnavailable } from '../database/store-unavailable.js';
import type { SqliteConnection, Statement } from './connection.js';

/** Far more than the queries of this program. */
const preparedStatements = 200;

/**
 * Prepares each statement once: preparing takes longer than most of them take to run. `place` is what a failure of the
 * disk is said to be about.
 */
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

/** Tells the disk's failures apart from what a query can be refused for. */
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

/**
 * Result codes of SQLite for what no query is to blame for (https://sqlite.org/rescode.html). And that an organization is
 * gone, because other content took the place of all: whoever asks again learns what is there now.
 */
const sqliteFailures = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|CONSTRAINT_FOREIGNKEY)/;

/** Those of them that do not pass by themselves. */
const damages = /^SQLITE_(CORRUPT|NOTADB)/;
