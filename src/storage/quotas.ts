import { type Kysely, sql } from 'kysely';
import type { Quota, QuotaRecord } from '../api/quota.js';
import { type DeclaredResource, type QuotaKind, resources } from '../api/resources/index.js';
import { ServiceError } from '../errors/errors.js';
import { type Engine, StoreUnavailable } from './engine.js';
import { ReadCache } from './read-cache.js';
import type { Tables } from './tables.js';

export class QuotaExceeded extends ServiceError {
  readonly kind: QuotaKind;
  readonly limit: number;
  readonly used: number;

  constructor(kind: QuotaKind, limit: number, used: number) {
    const details = { status: 403, quota: { kind, limit, used } };
    super('quota_exceeded', `no quota left for ${kind}: ${used} of ${limit} used`, details);
    [this.kind, this.limit, this.used] = [kind, limit, used];
  }
}

export type QuotaReader = ReturnType<typeof quotaReader>;

export function quotaReader({ database, exclusive, write }: Engine) {
  const cache = new ReadCache<QuotaRecord>(exclusive ? undefined : 0);
  return {
    kept: (organizationId: string): QuotaRecord | undefined => cache.kept(organizationId),

    async of(organizationId: string): Promise<QuotaRecord> {
      return (await cache.read(organizationId, () => readRecord(database, organizationId))) ?? {};
    },

    setLimits(organizationId: string, limits: Partial<Record<QuotaKind, number>>): Promise<QuotaRecord> {
      const changed = write(async (transaction) => {
        for (const [kind, limit] of Object.entries(limits))
          await quotaRow(transaction, organizationId, kind).set({ quota_limit: limit }).execute();
        return readRecord(transaction, organizationId);
      });
      return changed.finally(() => cache.forgetAll());
    },

    /** Call it after each write that may change a quota. */
    forget: () => cache.forgetAll(),
  };
}

export async function readRecord(database: Kysely<Tables>, organizationId: string): Promise<QuotaRecord> {
  const query = database.selectFrom('quotas').selectAll().where('organization_id', '=', organizationId);
  const rows = await query.orderBy('kind').execute();
  return Object.fromEntries(rows.map((row) => [row.kind, toQuota(row)]));
}

function quotaRow(database: Kysely<Tables>, organizationId: string, kind: string) {
  return database
    .updateTable('quotas')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind);
}

type NewColumns = Readonly<Record<string, unknown>> & { readonly organization_id: string };
type QuotaRow = Pick<Tables['quotas'], 'quota_limit' | 'used'>;

/**
 * Returns a function that inserts a row and counts it, if the quota has room; otherwise, it throws QuotaExceeded. On
 * PostgreSQL, one statement does both, and returns the quota: its row stays locked until the commit. SQLite has only one
 * writer.
 */
export function rowInserter({ exclusive, place }: Engine, { table, kind }: DeclaredResource) {
  const compile = (database: Kysely<Tables>, columns: NewColumns) => {
    const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
    const values = sql.join(Object.values(columns));
    const insert = sql`insert into ${sql.table(table)} (${names})`;
    const count = sql`update quotas set used = used + 1
      where organization_id = ${columns.organization_id} and kind = ${kind} and used < quota_limit`;
    const both = sql<QuotaRow>`with room as (${count} returning quota_limit, used),
      made as (${insert} select ${values} from room) select quota_limit, used from room`;
    return exclusive
      ? { first: count.compile(database), second: sql`${insert} values (${values})`.compile(database) }
      : { first: both.compile(database), second: undefined };
  };
  /** Keyed by the names of columns: compiling takes longer than running. */
  const known = new Map<string, ReturnType<typeof compile>>();

  return async (database: Kysely<Tables>, columns: NewColumns): Promise<Quota | undefined> => {
    const { organization_id: organizationId } = columns;
    const [owner, values] = [[organizationId, kind], Object.values(columns)];
    const names = Object.keys(columns).join();
    const statements = known.get(names) ?? compile(database, columns);
    known.set(names, statements);
    const { first, second } = statements;
    const parameters = second === undefined ? [...owner, ...values] : owner;
    const counted = await database.executeQuery<QuotaRow>({ ...first, parameters });
    const [row] = counted.rows;
    if (row === undefined && counted.numAffectedRows !== 1n) {
      const quota = (await readRecord(database, organizationId))[kind];
      // All content was replaced meanwhile.
      if (quota === undefined) throw new StoreUnavailable(place, 'the organization was deleted');
      throw new QuotaExceeded(kind, quota.limit, quota.used);
    }
    if (second !== undefined) await database.executeQuery({ ...second, parameters: values });
    return row && toQuota(row);
  };
}

function toQuota({ quota_limit: limit, used }: QuotaRow): Quota {
  return { limit, used, remaining: limit - used };
}

/** Does not check the quota's limit. */
export async function changeUsed(
  database: Kysely<Tables>,
  organizationId: string,
  kind: QuotaKind,
  by: number,
): Promise<void> {
  const row = quotaRow(database, organizationId, kind);
  await row.set((column) => ({ used: column('used', '+', by) })).execute();
}

export const maxProblems = 10;

/** Describes wrong counts, which would refuse creations too early or too late. */
export async function miscounts(database: Kysely<Tables>): Promise<string[]> {
  const found: string[] = [];
  for (const { kind, table } of resources) {
    // A single statement sees consistent data even while other servers write.
    const query = sql<{ id: string; used: number | null; present: number }>`select * from (
      select o.id, (select used from quotas q where q.organization_id = o.id and q.kind = ${kind}) as used,
        (select count(*) from ${sql.table(table)} r where r.organization_id = o.id) as present
      from organizations o) counted
      where used is null or used <> present order by id limit ${sql.lit(maxProblems)}`;
    for (const { id, used, present } of (await query.execute(database)).rows) {
      found.push(`the quota for ${kind} in ${id} counts ${used ?? 'nothing'}, but there are ${present}`);
    }
  }
  return found;
}
