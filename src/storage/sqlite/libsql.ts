import { isBuiltin } from 'node:module';
import { versions } from 'node:process';
import { readMessage, refuseMissingPackage } from '../../errors/errors.js';

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

/** Loads libsql or, if that fails, the SQLite of Node.js 24 or later. @throws ConfigError if neither is available */
export async function loadSqlite(): Promise<OpenConnection> {
  try {
    const Database = (await import('libsql')).default;
    return (path) => new Database(path);
  } catch (cause) {
    // Before version 24, Node.js warns that its SQLite is experimental.
    const isStable = isBuiltin('node:sqlite') && Number.parseInt(versions.node, 10) >= 24;
    if (isStable) return (await import('./node-sqlite.js')).loadSqlite();
    const [, name = 'libsql'] = /Cannot find (?:module|package) '([^']+)'/.exec(readMessage(cause)) ?? [];
    throw refuseMissingPackage('the embedded database cannot be loaded by Node.js before 24', name, cause);
  }
}
