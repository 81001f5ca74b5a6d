import type { Kysely } from 'kysely';
import {
  ConfigError,
  OutcomeUnknownError,
  readMessage,
  readSystemCode,
  ServiceError,
} from '../errors/errors.js';
import type { Tables } from './tables.js';

export type Work<Result> = (database: Kysely<Tables>) => Promise<Result>;

/** The differences between databases; all other queries are the same for both. */
export interface Engine {
  readonly database: Kysely<Tables>;
  readonly place: string;
  /** Whether no other process can write: then cached reads stay valid. */
  readonly exclusive: boolean;
  /** Types of columns. */
  readonly types: { readonly bytes: string; readonly sequence: string };
  /** Resolves once all changes of `work` are durable; after an error, none was made, unless it is OutcomeUnknown. */
  write<Result>(work: Work<Result>): Promise<Result>;
  /** Like `write`, for work whose changes are a single statement: it needs no transaction on PostgreSQL. */
  writeOnce<Result>(work: Work<Result>): Promise<Result>;
  /** Like `write`, but locks out all other writers of resources. */
  writeAlone<Result>(work: Work<Result>): Promise<Result>;
  /** Reads one state of the data. */
  readSnapshot<Result>(work: Work<Result>): Promise<Result>;
  /** Runs work that only one server of the database may do at a time. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Copies all data to a new or empty file; only for the embedded database. */
  copyTo?(path: string): Promise<void>;
  /** Problems of the database's file, if it has one. */
  findDamage?(): readonly string[];
  /** @throws StoreUnavailable if writes would fail */
  requireReady(): Promise<void>;
  close(): Promise<void>;
  readonly hint: string;
}

/** The data cannot be used, for example because the disk is full. A write refused with this error changed nothing. */
export class StoreUnavailable extends ServiceError {
  readonly place: string;

  constructor(place: string, reason: string, { cause }: ErrorOptions = {}) {
    super('server', `the data in ${place} cannot be read or written: ${reason}`, { status: 503, cause });
    this.place = place;
  }
}

/** A failure that does not go away by itself: someone has to restore the data or restart the server. */
export class StoreBroken extends StoreUnavailable {}

/** The connection to the database broke during a query: a change may have been made if the query could commit it. */
export class ConnectionLost extends StoreUnavailable {}

/** It is unknown whether a write took effect, because the response to its commit was lost. */
export class OutcomeUnknown extends OutcomeUnknownError {
  constructor(place: string, cause: unknown) {
    super(`a change to the data in ${place} may or may not have been made: ${readMessage(cause)}`, { cause });
  }
}

/** Whether a row was refused because its ID is taken. */
export function isDuplicate(error: unknown): boolean {
  return /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/.test(readSystemCode(error) ?? '');
}

/** Turns errors that would fail only one request at run time into errors that prevent the start. */
export function startError(error: unknown, { hint }: Engine): unknown {
  if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
    return new ConfigError(error.message, { hint, cause: error });
  }
  // If SQLite refuses a query of ours, the database is probably damaged.
  if (!readSystemCode(error)?.startsWith('SQLITE_')) return error;
  return new ConfigError(`the data cannot be opened: ${readMessage(error)}`, { hint, cause: error });
}
