import { DatabaseError } from 'pg';
import { readMessage } from '../../errors/errors.js';
import { StoreUnavailable } from '../database/store-unavailable.js';

/**
 * Classes of SQLSTATE for what no query is to blame for (PostgreSQL, appendix "Error Codes"): connection, invalid
 * authorization, no such database, read-only transaction, rolled back for the sake of another, resources, not now,
 * operator intervention, system, internal. And that an organization is gone (23503), because other content took the place
 * of all: whoever asks again learns what is there now.
 */
const failureCodes = /^(08|23503|26000|28|3D|25006|40|42P05|53|55|57|58|XX)/;

/** That a prepared statement is not there (26000), or there already (42P05). */
const unprepared = /^(26000|42P05)$/;

/** Those after which the connection is of no more use: a server that became read-only will stay so. */
const endings = /^(08|25006|57|58|XX)/;

/** Whether the database did not do its part, rather than refuse what a query asked. */
function isFailure(error: unknown): boolean {
  if (error instanceof DatabaseError) return failureCodes.test(error.code ?? '');
  // What else the driver throws tells of connections; a mistake of ours has a class of its own.
  return !(error instanceof TypeError || error instanceof RangeError);
}

/** Whether somebody between here and the database hands connections round without their prepared statements. */
export function lacksPrepared(error: unknown): boolean {
  return error instanceof DatabaseError && unprepared.test(error.code ?? '');
}

/** Whether no further query can be sent over the connection that failed so. */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || endings.test(error.code ?? '');
}

/** What is to be thrown for an error of the driver: the error itself, unless the database is to blame. */
export function tellFailure(error: unknown, place: string): unknown {
  return isFailure(error) ? new StoreUnavailable(place, readMessage(error), { cause: error }) : error;
}
