import type { ColumnDefinitionBuilder, Dialect, Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { MasterKeyFence } from '../encryption/master-key-fence.js';
import type { CreateTogether } from './shared-creations.js';

/** Looks at where a commit goes, before it and after it. */
export interface CommitWatch {
  /** @throws StoreBroken when what is committed now would be lost. */
  before(): void;
  /** @throws StoreBroken when what was committed may be lost. */
  after(): void;
}

/** What differs between databases. Queries are shared; an engine's folder holds only this. */
export interface Engine {
  readonly dialect: Dialect;
  /** Where the data is, as errors and notes name it: without user and password. */
  readonly place: string;
  /**
   * Whether no other process can write while this one is open, so that reads can be cached, and many requests can share
   * a commit.
   */
  readonly exclusive: boolean;
  /** The column type that holds bytes. */
  readonly bytes: 'blob' | 'bytea';
  /** The column type that counts. */
  readonly counter: 'integer' | 'bigint';
  /** Makes a column the primary key that counts up with each insert. */
  sequence(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Keeps a second process from migrating at the same time, until the transaction ends. */
  lockSchema(transaction: Transaction<Tables>): Promise<void>;
  /** Called in the transaction that has changed the schema. */
  schemaChanged?(transaction: Transaction<Tables>): Promise<void>;
  /**
   * Runs work under a lock among servers, so that what may only be created once is looked up and created by one at a
   * time.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws StoreUnavailable when requests that write would be refused. */
  requireReady(database: Kysely<Tables>): Promise<void>;
  /** Stores what several requests create in one transaction, where others write too, and change the master key. */
  createTogether?(fence: MasterKeyFence): CreateTogether;
  /** Watches the commits of an exclusive engine, whose writes can get lost without an error. */
  readonly commits?: CommitWatch;
  /** The hint of errors about a database that cannot be read or written. */
  readonly hint: string;
}
