import { isBuiltin } from 'node:module';
import { versions } from 'node:process';
import { readMessage, refuseMissingPackage } from '../../errors/errors.js';
import type { OpenConnection } from './statements.js';

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
