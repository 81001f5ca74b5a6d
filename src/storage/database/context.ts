import type { Kysely } from 'kysely';
import type { QuotaKind, ResourceTable } from '../../api/resources/index.js';
import type { Cipher } from './cipher.js';
import type { Tables } from './tables.js';
import type { IsDone, Work } from './transact.js';

export interface WriteOptions<Result> {
  readonly isDone?: IsDone<Result>;
  readonly seals?: boolean;
}

export type NewRow = Readonly<Record<string, unknown>> & { readonly id: string };

export interface RowCreation {
  readonly organizationId: string;
  readonly quota: QuotaKind | undefined;
  readonly table: ResourceTable;
  readonly row: NewRow;
  readonly seals: boolean;
}

export interface StorageContext {
  readonly database: Kysely<Tables>;
  readonly cipher: Cipher;
  /** ISO 8601 in UTC, as in the tables. */
  now(): string;
  /**
   * Runs `work` in a transaction and resolves once it is on disk; every change uses this. `isDone` checks
   * whether it took effect, `seals` says that it writes sealed values.
   * @throws StoreUnavailable, or the work's error: nothing was written. OutcomeUnknown.
   */
  write<Result>(
    organizationId: string | undefined,
    work: Work<Result>,
    options?: WriteOptions<Result>,
  ): Promise<Result>;
  /** Like `write`, for one resource; may share a transaction. @throws also QuotaExceeded */
  create(creation: RowCreation): Promise<void>;
  /** `write` for sealed values; locks all other writers out. */
  writeAlone<Result>(work: Work<Result>, options?: Pick<WriteOptions<Result>, 'isDone'>): Promise<Result>;
}
