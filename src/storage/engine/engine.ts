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

/** Differences between databases; queries are shared. */
export interface Engine {
  readonly dialect: Dialect;
  readonly place: string;
  /** No other process can write, so reads can be cached and requests can share a commit. */
  readonly exclusive: boolean;
  readonly bytes: 'blob' | 'bytea';
  readonly counter: 'integer' | 'bigint';
  sequence(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Held until the transaction ends. */
  lockSchema(transaction: Transaction<Tables>): Promise<void>;
  schemaChanged?(transaction: Transaction<Tables>): Promise<void>;
  /** Runs work under a lock among servers, for what may exist only once. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws StoreUnavailable if writes would fail */
  requireReady(database: Kysely<Tables>): Promise<void>;
  /** Commits several requests' creations together, where other servers write and change the master key. */
  createTogether?(fence: MasterKeyFence): CreateTogether;
  /** For exclusive engines, which can lose writes without an error. */
  readonly commits?: CommitWatch;
  readonly hint: string;
}
