import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Quota, QuotaRecord } from '../contract/quota.js';
import type { ResourceKind } from '../contract/resource-kind.js';
import { type Awaitable, andThen } from './awaitable.js';
import { compiledOnce } from './compiled-once.js';
import type { StorageContext } from './context.js';
import { isChanged } from './is-done.js';
import { QuotaExceeded } from './quota-exceeded.js';
import type { ReadCache } from './read-cache.js';
import type { Tables } from './tables.js';

type QuotaRow = Pick<Selectable<Tables['quotas']>, 'kind' | 'quota_limit' | 'used'>;

/** The quota record of each organization. */
export class Quotas {
  readonly #context: StorageContext;
  readonly #cache: ReadCache<QuotaRecord>;

  constructor(context: StorageContext, cache: ReadCache<QuotaRecord>) {
    this.#context = context;
    this.#cache = cache;
  }

  /** The record of one organization; empty when there is no such organization. */
  of(organizationId: string): Awaitable<QuotaRecord> {
    const record = this.#cache.read(organizationId, () => loadRecord(this.#context.database, organizationId));
    return andThen(record, (known) => known ?? {});
  }

  /**
   * Sets limits; one below what is used stops creation and removes nothing. The record as it is then: who read it
   * afterwards could fail after all was done.
   */
  setLimits(organizationId: string, limits: Partial<Record<ResourceKind, number>>): Promise<QuotaRecord> {
    const wanted = Object.entries(limits);
    return this.#context.write(
      organizationId,
      async (transaction) => {
        for (const [kind, limit] of wanted) {
          await transaction
            .updateTable('quotas')
            .set({ quota_limit: limit })
            .where('organization_id', '=', organizationId)
            .where('kind', '=', kind)
            .execute();
        }
        return loadRecord(transaction, organizationId);
      },
      {
        isDone: isChanged(async (database) => {
          const record: Readonly<Record<string, Quota>> = await loadRecord(database, organizationId);
          return wanted.every(([kind, limit]) => record[kind]?.limit === limit);
        }),
      },
    );
  }
}

async function loadRecord(database: Kysely<Tables>, organizationId: string): Promise<QuotaRecord> {
  const { rows } = await quotasOf(database, { organizationId });
  return Object.fromEntries(rows.map((row) => [row.kind, quotaOf(row)]));
}

const quotasOf = compiledOnce<{ organizationId: string }, QuotaRow>((database, parameter) =>
  database
    .selectFrom('quotas')
    .select(['kind', 'quota_limit', 'used'])
    .where('organization_id', '=', parameter('organizationId'))
    .orderBy('kind'),
);

const countOneMore = compiledOnce<{ organizationId: string; kind: ResourceKind }>((database, parameter) =>
  database
    .updateTable('quotas')
    .set((column) => ({ used: column('used', '+', 1) }))
    .where('organization_id', '=', parameter('organizationId'))
    .where('kind', '=', parameter('kind'))
    .whereRef('used', '<', 'quota_limit'),
);

/**
 * Counts one more resource, if the quota has room for it. The update locks the row until the transaction ends, so
 * whatever number of clients and servers race, there is never one resource over the limit. To be done last: all who
 * create wait for that row.
 * @throws QuotaExceeded when there is no room.
 */
export async function takePlace(
  transaction: Transaction<Tables>,
  organizationId: string,
  kind: ResourceKind,
): Promise<void> {
  const { numAffectedRows } = await countOneMore(transaction, { organizationId, kind });
  if (numAffectedRows !== 0n) return;
  const quota = await transaction
    .selectFrom('quotas')
    .select(['quota_limit', 'used'])
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  // The organization itself may be gone, when other content took its place in the midst of a request.
  throw new QuotaExceeded(kind, quota?.quota_limit ?? 0, quota?.used ?? 0);
}

/** Counts one resource less. */
export async function releasePlace(
  transaction: Transaction<Tables>,
  organizationId: string,
  kind: ResourceKind,
): Promise<void> {
  await transaction
    .updateTable('quotas')
    .set((column) => ({ used: column('used', '-', 1) }))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .execute();
}

function quotaOf(row: QuotaRow) {
  return { limit: row.quota_limit, used: row.used, remaining: row.quota_limit - row.used };
}
