export interface Statement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** A database in a file or in memory. Errors have symbolic codes, such as `SQLITE_BUSY`. */
export interface SqliteConnection {
  prepare(text: string): Statement;
  exec(text: string): unknown;
  pragma(text: string): unknown;
  close(): unknown;
}

export type OpenConnection = (path: string) => SqliteConnection;
