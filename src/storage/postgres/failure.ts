import { DatabaseError } from 'pg';
import { readMessage } from '../../errors/errors.js';
import { ConnectionLost, StoreUnavailable } from '../database/store-unavailable.js';

/** Failures that the query did not cause (PostgreSQL, "Error Codes"). 23503 means that all content was replaced. */
const failureCodes = /^(08|23503|25006|28|3D|40|53|55|57|58|XX)/;

/** Failures after which the connection is unusable, for example because its server became read-only. */
const endings = /^(08|25006|57P|58|XX)/;

export function endsConnection(error: unknown): boolean {
  return isFatal(error) || (error instanceof DatabaseError && endings.test(error.code ?? ''));
}

/** An error that is not the database's response to a query, or with which the database ends the connection. */
function isFatal(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC';
}

/** @returns StoreUnavailable, or ConnectionLost if a commit may have been in progress; mistakes in our code as they are */
export function tellFailure(error: unknown, place: string): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (isFatal(error)) return new ConnectionLost(place, readMessage(error), { cause: error });
  const isFailure = error instanceof DatabaseError && failureCodes.test(error.code ?? '');
  return isFailure ? new StoreUnavailable(place, readMessage(error), { cause: error }) : error;
}
