import { expect, inject, it } from 'vitest';
import { loadSqlite } from '../../../src/storage/sqlite/libsql.js';

it.runIf(inject('engine') === 'embedded').each<[string, string[], RegExp]>([
  ['a primary code', ['pragma query_only = on', 'insert into t values (1, 1)'], /^SQLITE_READONLY$/],
  [
    'its own name',
    ['insert into t values (1, 1)', 'insert into t values (1, 1)'],
    /^SQLITE_CONSTRAINT_UNIQUE$/,
  ],
  ['at least its primary code', ['insert into t values (1, null)'], /^SQLITE_CONSTRAINT/],
])('an error of SQLite has %s as its code', async (_what, statements, code) => {
  const database = (await loadSqlite())(':memory:');
  database.exec('create table t (a integer unique, b integer not null)');
  const failing = () => statements.forEach((statement) => void database.exec(statement));
  expect(failing).toThrow(expect.objectContaining({ code: expect.stringMatching(code) }));
  database.close();
});
