import type { ColumnDataType, ColumnDefinitionBuilder, Kysely } from 'kysely';
import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import { OutcomeUnknown, StoreUnavailable } from '../database/store-unavailable.js';
import type { Tables } from '../database/tables.js';

export type Work<Result> = (database: Kysely<Tables>) => Promise<Result>;

/** The differences between databases; all other queries are the same for both. */
export interface Engine {
  readonly database: Kysely<Tables>;
  readonly place: string;
  /** Whether no other process can write: then cached reads stay valid. */
  readonly exclusive: boolean;
  readonly columns: {
    readonly bytes: ColumnDataType;
    readonly counter: ColumnDataType;
    sequence(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  };
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
  findDamage?(): Promise<readonly string[]>;
  /** @throws StoreUnavailable if writes would fail */
  requireReady(): Promise<void>;
  close(): Promise<void>;
  readonly hint: string;
}

/** Turns errors that would fail only one request at run time into errors that prevent the start. */
export function startError(error: unknown, { hint }: Pick<Engine, 'hint'>): unknown {
  if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
    return new ConfigError(error.message, { hint, cause: error });
  }
  // If SQLite refuses a query of ours, the database is probably damaged.
  if (!readSystemCode(error)?.startsWith('SQLITE_')) return error;
  return new ConfigError(`the data cannot be opened: ${readMessage(error)}`, { hint, cause: error });
}
