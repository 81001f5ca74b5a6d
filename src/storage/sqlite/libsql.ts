import { ConfigError, readMessage } from '../../errors/errors.js';
import { option } from '../../errors/server-option.js';
import type { OpenConnection } from './connection.js';

/** Its binary is an optional package per platform. @throws ConfigError naming the package and how to install it */
export async function loadSqlite(): Promise<OpenConnection> {
  try {
    const Database = (await import('libsql')).default;
    return (path) => new Database(path);
  } catch (cause) {
    const [, name = 'libsql'] = /Cannot find (?:module|package) '([^']+)'/.exec(readMessage(cause)) ?? [];
    throw new ConfigError(
      `the embedded database cannot be loaded: the package ${name} is missing or does not fit this machine`,
      {
        hint: `install it: npm install ${name}, or this package again with its optional packages; or keep the data elsewhere, with ${option('database')}`,
        cause,
      },
    );
  }
}
