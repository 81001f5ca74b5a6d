import type { ColumnDefinitionBuilder, Dialect, Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { MasterKeyFence } from '../encryption/master-key-fence.js';
import type { CreateTogether } from './shared-creations.js';

export interface CommitWatch {
  /** @throws StoreBroken if a commit now would be lost. */
  before(): void;
  /** @throws StoreBroken if the commit may be lost. */
  after(): void;
}

/** The differences between databases; most queries are the same for all. */
export interface Engine {
  readonly dialect: Dialect;
  readonly place: string;
  /** Whether no other process can write; then cached reads stay valid, and all writes can share a commit. */
  readonly exclusive: boolean;
  readonly bytes: 'blob' | 'bytea';
  readonly counter: 'integer' | 'bigint';
  sequence(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** The lock is held until the transaction ends. */
  lockSchema(transaction: Transaction<Tables>): Promise<void>;
  schemaChanged?(transaction: Transaction<Tables>): Promise<void>;
  /** Runs work under a lock that only one of the database's servers can hold at a time. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws StoreUnavailable if writes would fail */
  requireReady(database: Kysely<Tables>): Promise<void>;
  /** Commits the creations of several requests together. Only for databases that several servers can write to. */
  createTogether?(fence: MasterKeyFence): CreateTogether;
  /** Only for databases in files: SQLite does not notice that a file was deleted or replaced. */
  readonly commits?: CommitWatch;
  readonly hint: string;
}
