import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Quota, QuotaRecord } from '../../api/quota.js';
import type { QuotaKind } from '../../api/resources/index.js';
import { ServiceError } from '../../errors/errors.js';
import { compiledOnce } from '../database/compiled-once.js';
import type { StorageContext } from '../database/context.js';
import type { Tables } from '../database/tables.js';
import { BatchedLoad } from './batched-load.js';
import type { ReadCache } from './read-cache.js';

type StoredQuota = Pick<Selectable<Tables['quotas']>, 'organization_id' | 'kind' | 'quota_limit' | 'used'>;

export class QuotaExceeded extends ServiceError {
  readonly kind: QuotaKind;
  readonly limit: number;
  readonly used: number;

  constructor(kind: QuotaKind, limit: number, used: number) {
    const quota = { kind, limit, used };
    super('quota_exceeded', `no quota left for ${kind}: ${used} of ${limit} used`, {
      status: 403,
      quota,
    });
    this.kind = kind;
    this.limit = limit;
    this.used = used;
  }
}

export class QuotaReader {
  readonly #context: StorageContext;
  readonly #cache: ReadCache<QuotaRecord>;
  readonly #records = new BatchedLoad((organizationIds) =>
    loadRecords(this.#context.database, organizationIds),
  );

  constructor(context: StorageContext, cache: ReadCache<QuotaRecord>) {
    this.#context = context;
    this.#cache = cache;
  }

  /** The record if it is in memory. */
  kept(organizationId: string): QuotaRecord | undefined {
    return this.#cache.kept(organizationId);
  }

  async of(organizationId: string): Promise<QuotaRecord> {
    return (await this.#cache.read(organizationId, () => this.#records.load(organizationId))) ?? {};
  }

  /** Returns the changed record, read in the same transaction because a later read could fail. */
  setLimits(organizationId: string, limits: Partial<Record<QuotaKind, number>>): Promise<QuotaRecord> {
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
        // Different limits prove nothing: another server may have set them since.
        isDone: async (database) => {
          const record: Readonly<Record<string, Quota>> = await loadRecord(database, organizationId);
          return wanted.every(([kind, limit]) => record[kind]?.limit === limit) || undefined;
        },
      },
    );
  }
}

async function loadRecord(database: Kysely<Tables>, organizationId: string): Promise<QuotaRecord> {
  return (await loadRecords(database, [organizationId])).get(organizationId) ?? {};
}

async function loadRecords(
  database: Kysely<Tables>,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, QuotaRecord>> {
  const [first] = organizationIds;
  // For one organization, the usual case, the query is already compiled.
  const rows =
    organizationIds.length === 1 && first !== undefined
      ? (await quotasOfOne(database, { organizationId: first })).rows
      : await selectQuotas(database).where('organization_id', 'in', organizationIds).execute();
  return toRecords(rows);
}

export async function allQuotas(database: Kysely<Tables>): Promise<ReadonlyMap<string, QuotaRecord>> {
  return toRecords(await selectQuotas(database).execute());
}

function toRecords(rows: readonly StoredQuota[]): ReadonlyMap<string, QuotaRecord> {
  const records = new Map<string, Record<string, Quota>>();
  for (const row of rows) {
    const record = records.get(row.organization_id) ?? {};
    records.set(row.organization_id, record);
    record[row.kind] = toQuota(row);
  }
  return records;
}

function selectQuotas(database: Kysely<Tables>) {
  return database
    .selectFrom('quotas')
    .select(['organization_id', 'kind', 'quota_limit', 'used'])
    .orderBy('kind');
}

const quotasOfOne = compiledOnce<{ organizationId: string }, StoredQuota>((database, parameter) =>
  selectQuotas(database).where('organization_id', '=', parameter('organizationId')),
);

const countOneMore = compiledOnce<{ organizationId: string; kind: QuotaKind }>((database, parameter) =>
  database
    .updateTable('quotas')
    .set((column) => ({ used: column('used', '+', 1) }))
    .where('organization_id', '=', parameter('organizationId'))
    .where('kind', '=', parameter('kind'))
    .whereRef('used', '<', 'quota_limit'),
);

/**
 * Counts one more resource. The quota's row stays locked until the transaction ends, so that racing servers cannot
 * exceed the limit. Call it last: other creations wait for that row.
 * @throws QuotaExceeded
 */
export async function reserveQuota(
  transaction: Transaction<Tables>,
  organizationId: string,
  kind: QuotaKind,
): Promise<void> {
  const { numAffectedRows } = await countOneMore(transaction, { organizationId, kind });
  if (numAffectedRows !== 0n) return;
  const quota = await transaction
    .selectFrom('quotas')
    .select(['quota_limit', 'used'])
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  // If content was replaced during the request, the organization may be gone.
  throw new QuotaExceeded(kind, quota?.quota_limit ?? 0, quota?.used ?? 0);
}

export async function releaseQuota(
  transaction: Transaction<Tables>,
  organizationId: string,
  kind: QuotaKind,
): Promise<void> {
  await transaction
    .updateTable('quotas')
    .set((column) => ({ used: column('used', '-', 1) }))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .execute();
}

function toQuota(row: StoredQuota): Quota {
  return { limit: row.quota_limit, used: row.used, remaining: row.quota_limit - row.used };
}
