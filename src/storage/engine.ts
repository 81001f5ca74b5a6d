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
  findDamage?(): readonly string[];
  requireReady(): Promise<void>;
  close(): Promise<void>;
  readonly hint: string;
}

/** Such as a full disk. A write refused with this error changed nothing. */
export class StoreUnavailable extends ServiceError {
  readonly place: string;

  constructor(place: string, reason: string, { cause }: ErrorOptions = {}) {
    super('server', `the data in ${place} cannot be read or written: ${reason}`, { status: 503, cause });
    this.place = place;
  }
}

/** Someone has to restore the data or restart the server. */
export class StoreBroken extends StoreUnavailable {}

/** The connection broke during a query, which may have had its effect. */
export class ConnectionLost extends StoreUnavailable {}

/** The response to a write's commit was lost. */
export class OutcomeUnknown extends OutcomeUnknownError {
  constructor(place: string, cause: unknown) {
    super(`a change to the data in ${place} may or may not have been made: ${readMessage(cause)}`, { cause });
  }
}

export function isDuplicate(error: unknown): boolean {
  return /^(23505|SQLITE_CONSTRAINT_UNIQUE)$/.test(readSystemCode(error) ?? '');
}

/** Turns the store's errors, which prevent the start, into ConfigErrors. */
export function startError(error: unknown, { hint }: Engine): unknown {
  if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
    return new ConfigError(error.message, { hint, cause: error });
  }
  // If SQLite refuses a query of ours, the database is probably damaged.
  if (!readSystemCode(error)?.startsWith('SQLITE_')) return error;
  return new ConfigError(`the data cannot be opened: ${readMessage(error)}`, { hint, cause: error });
}
