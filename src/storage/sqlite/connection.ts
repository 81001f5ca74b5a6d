/** What the embedded store asks of a prepared statement, whichever library runs it. */
export interface Statement {
  /** Whether it gives rows. */
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  /** The first row; `undefined` for none. */
  get(...parameters: readonly unknown[]): unknown;
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** A database file that is open, or one in memory. Errors have SQLite's result code as `code`, `SQLITE_BUSY`. */
export interface SqliteConnection {
  prepare(text: string): Statement;
  /** Runs statements that give no rows. */
  exec(text: string): unknown;
  /** Runs `PRAGMA text`. */
  pragma(text: string): unknown;
  close(): unknown;
}

/** Opens the file at a path, created when it is not there. */
export type OpenConnection = (path: string) => SqliteConnection;
