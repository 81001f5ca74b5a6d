import type { Kysely } from 'kysely';
import type { QuotaKind, ResourceTable } from '../../api/resources/index.js';
import type { Cipher } from './cipher.js';
import type { Tables } from './tables.js';
import type { IsDone, Work } from './transact.js';

export interface WriteOptions<Result> {
  readonly isDone?: IsDone<Result>;
  readonly seals?: boolean;
}

/** A row as its table holds it; `id` and `organization_id` are in it. */
export type NewRow = Readonly<Record<string, unknown>> & { readonly id: string };

/** A resource that is to be stored, if the quota of its organization has room. */
export interface RowCreation {
  readonly organizationId: string;
  /** `undefined` where there is no quota. */
  readonly quota: QuotaKind | undefined;
  readonly table: ResourceTable;
  readonly row: NewRow;
  /** Whether a column of the row is sealed. */
  readonly seals: boolean;
}

/** What the repositories of one store share. */
export interface StorageContext {
  readonly database: Kysely<Tables>;
  readonly cipher: Cipher;
  /** The present moment as the tables hold it: ISO 8601 in UTC. */
  now(): string;
  /**
   * Every change goes through this: does the work in a transaction, and resolves once it is on the disk.
   * `organizationId` names the organization whose quotas may change, if any. `isDone` tells how to find out whether the
   * work was done, and `seals` that it writes sealed values.
   * @throws StoreUnavailable when it cannot be written, or what the work throws; then nothing was written.
   * OutcomeUnknown when it is not known whether it was
   */
  write<Result>(
    organizationId: string | undefined,
    work: Work<Result>,
    options?: WriteOptions<Result>,
  ): Promise<Result>;
  /**
   * As `write` of one resource, which may share its transaction with others.
   * @throws QuotaExceeded when there is no room, too.
   */
  create(creation: RowCreation): Promise<void>;
  /** `write` for sealed values, while nobody else writes. */
  writeAlone<Result>(work: Work<Result>, options?: Pick<WriteOptions<Result>, 'isDone'>): Promise<Result>;
}
