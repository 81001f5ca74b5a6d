import type { Kysely, Transaction } from 'kysely';
import type { Cipher } from './cipher.js';
import type { Tables } from './tables.js';

/** What the repositories of one store share. */
export interface StorageContext {
  readonly database: Kysely<Tables>;
  readonly cipher: Cipher;
  /** The present moment as the tables hold it: ISO 8601 in UTC. */
  now(): string;
  /** Runs a transaction that may change what one organization has used of its quotas. */
  write<Result>(
    organizationId: string,
    work: (transaction: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result>;
}
