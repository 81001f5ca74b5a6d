import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/storage/engine.js';
import { endsConnection, tellFailure } from '../../src/storage/postgres/engine.js';

/** As `pg` makes it of what the server says. */
function refusal(code: string, severity = 'ERROR'): DatabaseError {
  return Object.assign(new DatabaseError('no', 2, 'error'), { code, severity });
}

it.each<[string, DatabaseError | Error, isFailure: boolean, endsConnection: boolean]>([
  ['a deadlock', refusal('40P01'), true, false],
  ['a conflict of transactions', refusal('40001'), true, false],
  ['a lock that was waited for too long', refusal('55P03'), true, false],
  ['content that was replaced meanwhile', refusal('23503'), true, false],
  ['a full disk', refusal('53100'), true, false],
  ['a server without a connection left', refusal('53300', 'FATAL'), true, true],
  ['a server that became read-only', refusal('25006'), true, true],
  ['a server that shuts down', refusal('57P01'), true, true],
  ['a connection that was cut', new Error('Connection terminated unexpectedly'), true, true],
  ['any other refusal that ends the session', refusal('28P01', 'FATAL'), true, true],
  ['a name that is taken', refusal('23505'), false, false],
  ['a query that is wrong', refusal('42601'), false, false],
])('%s', (_what, error, isFailure, ends) => {
  expect(tellFailure(error, 'db') instanceof StoreUnavailable).toBe(isFailure);
  expect(endsConnection(error)).toBe(ends);
});

it('a mistake of ours is none of the database', () => {
  const mistake = new TypeError('undefined is not a function');
  expect(tellFailure(mistake, 'db')).toBe(mistake);
});
