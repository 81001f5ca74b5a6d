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
  /** The current time: ISO 8601 in UTC, as in the tables. */
  now(): string;
  /**
   * Runs `work` in a transaction, and resolves once the transaction is committed. If the response to the commit is
   * lost, `isDone` checks whether the work took effect. `seals` says whether `work` writes sealed values.
   * @throws OutcomeUnknown; after StoreUnavailable or an error of `work`, nothing was written
   */
  write<Result>(
    organizationId: string | undefined,
    work: Work<Result>,
    options?: WriteOptions<Result>,
  ): Promise<Result>;
  /** Creates a resource; may share a transaction with others. @throws QuotaExceeded, and the errors of `write` */
  create(creation: RowCreation): Promise<void>;
  /** Like `write` with `seals`, but locks out all other writers. */
  writeAlone<Result>(work: Work<Result>, options?: Pick<WriteOptions<Result>, 'isDone'>): Promise<Result>;
}
