import type { Kysely } from 'kysely';
import type { QuotaKind, ResourceTable } from '../contract/resources/index.js';
import type { Cipher } from './cipher.js';
import type { ListPlaces } from './list-places.js';
import type { Tables } from './tables.js';
import type { IsDone, Work } from './transact.js';

export interface WriteOptions<Result> {
  readonly isDone?: IsDone<Result>;
  readonly seals?: boolean;
}

/** A row as its table holds it; `id` and `organization_id` are in it. */
export type NewRow = Readonly<Record<string, unknown>> & { readonly id: string };

/** A resource that is to be stored, if the quota of its organization has room. */
export interface Creation {
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
  /** Absent where others remove rows too. */
  readonly places?: ListPlaces;
  /** The present moment as the tables hold it: ISO 8601 in UTC. */
  now(): string;
  /**
   * The way to change anything: does the work in a transaction, and answers once that is on the disk.
   * `organizationId` is whose quotas it may change, `undefined` when it changes none. Work says by `isDone` how to know
   * that it was done, and work that writes what is sealed by `seals` that it does.
   * @throws StoreUnavailable when it cannot be written, or what the work throws; then nothing of it was written. Or
   * OutcomeUnknown when nobody knows whether it was.
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
  create(creation: Creation): Promise<void>;
  /** As `write` of what is sealed, while nobody else writes anything. */
  writeAlone<Result>(work: Work<Result>, options?: Pick<WriteOptions<Result>, 'isDone'>): Promise<Result>;
}
