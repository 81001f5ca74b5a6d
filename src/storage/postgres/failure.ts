import { DatabaseError } from 'pg';
import { readMessage } from '../../errors/errors.js';
import { StoreUnavailable } from '../database/store-unavailable.js';

/** Failures that the query did not cause (PostgreSQL, "Error Codes"). 23503 means that all content was replaced. */
const failureCodes = /^(08|23503|26000|28|3D|25006|40|42P05|53|55|57|58|XX)/;

/** A prepared statement is missing (26000) or exists already (42P05). */
const unprepared = /^(26000|42P05)$/;

/** Failures after which the connection is unusable, for example because its server became read-only. */
const endings = /^(08|25006|57|58|XX)/;

function isFailure(error: unknown): boolean {
  if (error instanceof DatabaseError) return failureCodes.test(error.code ?? '');
  // These classes are mistakes in our code; the driver's other errors concern the connection.
  return !(error instanceof TypeError || error instanceof RangeError);
}

/** Whether an error shows that a pooler shares connections but not their prepared statements. */
export function lacksPrepared(error: unknown): boolean {
  return error instanceof DatabaseError && unprepared.test(error.code ?? '');
}

export function endsConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || endings.test(error.code ?? '');
}

export function tellFailure(error: unknown, place: string): unknown {
  return isFailure(error) ? new StoreUnavailable(place, readMessage(error), { cause: error }) : error;
}
