import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import {
  type DeclaredResource,
  hasQuota,
  isPlainResource,
  type ResourceKind,
  type ResourceTable,
  resources,
} from '../api/resources/index.js';
import type { StorageContext } from './database/context.js';
import { readSetting, writeSetting } from './database/settings.js';
import { resourceTables, type Tables } from './database/tables.js';
import type { QuotaLimits } from './organizations.js';
import type { Repository, ResourceFields } from './resources.js';

/** A store's content at one moment; organizations and resources in creation order. Sealed values stay sealed. */
export interface StoredContent {
  readonly organizations: readonly Omit<Insertable<Tables['organizations']>, 'sequence'>[];
  readonly quotas: readonly Insertable<Tables['quotas']>[];
  readonly resources: Readonly<Record<string, readonly ResourceFields[]>>;
  readonly firstOrganization: string | undefined;
  readonly firstKey: string | undefined;
}

export interface PlannedResource extends ResourceFields {
  readonly id: string;
  readonly name: string;
}

export interface PlannedKey extends PlannedResource {
  readonly secret: string;
  readonly enabled: boolean;
}

type PlannedResources = Readonly<
  Partial<Record<Exclude<ResourceKind, 'api-keys'>, readonly PlannedResource[]>>
> & { readonly 'api-keys': readonly PlannedKey[] };

export interface PlannedOrganization {
  readonly id: string;
  readonly name: string;
  readonly limits: QuotaLimits;
  readonly resources: PlannedResources;
}

type Repositories = Readonly<Record<ResourceKind, Pick<Repository, 'row'>>>;

export class Contents {
  readonly #context: StorageContext;
  readonly #repositories: Repositories;
  readonly #forgetAll: () => void;

  constructor(context: StorageContext, repositories: Repositories, forgetAll: () => void) {
    this.#context = context;
    this.#repositories = repositories;
    this.#forgetAll = forgetAll;
  }

  read(): Promise<StoredContent> {
    // Exclusive, because rows and counts are read one after the other and must be consistent.
    return this.#context.writeAlone(readContent, { isDone: () => Promise.resolve(true) });
  }

  async bytes(): Promise<number> {
    const counts = resources.map((resource) => bytesOfTable(this.#context.database, resource));
    return (await Promise.all(counts)).reduce((sum, bytes) => sum + bytes, 0);
  }

  async replace(content: StoredContent): Promise<void> {
    try {
      await this.#context.writeAlone((transaction) => writeContent(transaction, content));
    } finally {
      this.#forgetAll();
    }
  }

  /** Content for `replace`. Its first organization and key become the store's first organization and key. */
  compose(organizations: readonly PlannedOrganization[]): StoredContent {
    const now = this.#context.now();
    const [first] = organizations;
    const rowsOf = (kind: ResourceKind) =>
      organizations.flatMap((organization) =>
        (organization.resources[kind] ?? []).map((planned) =>
          this.#repositories[kind].row(organization.id, planned, planned.id, now),
        ),
      );
    return {
      firstOrganization: first?.id,
      firstKey: first?.resources['api-keys'][0]?.id,
      organizations: organizations.map(({ id, name }) => ({ id, name, created_at: now })),
      quotas: organizations.flatMap(quotaRows),
      resources: Object.fromEntries(resources.map(({ kind, table }) => [table, rowsOf(kind)])),
    };
  }
}

function quotaRows({ id, limits, resources: planned }: PlannedOrganization): StoredContent['quotas'] {
  return resources.filter(hasQuota).map(({ kind, quota }) => ({
    organization_id: id,
    kind,
    quota_limit: limits[kind] ?? quota,
    used: planned[kind]?.length ?? 0,
  }));
}

async function readContent(transaction: Transaction<Tables>): Promise<StoredContent> {
  const rows: Record<string, readonly ResourceFields[]> = {};
  for (const { table } of resources) rows[table] = await readRows(transaction, table);
  return {
    firstOrganization: await readSetting(transaction, 'first_organization'),
    firstKey: await readSetting(transaction, 'first_key'),
    organizations: await transaction
      .selectFrom('organizations')
      .select(['id', 'name', 'created_at'])
      .orderBy('sequence')
      .execute(),
    quotas: await transaction.selectFrom('quotas').selectAll().execute(),
    resources: rows,
  };
}

const ownLongColumns: Partial<Record<ResourceTable, readonly string[]>> = {
  connections: ['config'],
};

function longColumns(resource: DeclaredResource): readonly string[] {
  if (!isPlainResource(resource)) return ownLongColumns[resource.table] ?? [];
  return Object.keys(resource.input.shape).filter((field) => field !== 'name');
}

const bytesOfRow = 1024;

async function bytesOfTable(database: Kysely<Tables>, resource: DeclaredResource): Promise<number> {
  const columns = longColumns(resource).map((column) => sql`+ coalesce(length(${sql.ref(column)}), 0)`);
  const bytes = sql<number>`coalesce(sum(${sql.lit(bytesOfRow)} ${sql.join(columns, sql` `)}), 0)`;
  const row = await resourceTables(database)
    .selectFrom(resource.table)
    .select(bytes.as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(row.bytes);
}

/** Omits `sequence`, which the database generates again on restore. */
async function readRows(transaction: Kysely<Tables>, table: string): Promise<ResourceFields[]> {
  const query = resourceTables(transaction).selectFrom(table).selectAll().orderBy('sequence');
  const rows: ResourceFields[] = await query.execute();
  return rows.map(({ sequence: _place, ...columns }) =>
    Object.fromEntries(Object.entries(columns).map(([column, value]) => [column, ownBytes(value)])),
  );
}

function ownBytes(value: unknown): unknown {
  return value instanceof ArrayBuffer || value instanceof Uint8Array ? new Uint8Array(value) : value;
}

// Deletes children before parents, and inserts parents first.
async function writeContent(transaction: Transaction<Tables>, content: StoredContent): Promise<void> {
  for (const table of [...resources.map((resource) => resource.table), 'quotas', 'organizations'] as const) {
    await transaction.deleteFrom(table).execute();
  }
  await inChunks(content.organizations, (rows) => transaction.insertInto('organizations').values(rows));
  await inChunks(content.quotas, (rows) => transaction.insertInto('quotas').values(rows));
  const tables = resourceTables(transaction);
  for (const [table, rows] of Object.entries(content.resources)) {
    await inChunks(rows, (chunk) => tables.insertInto(table).values(chunk));
  }
  await writeFirst(transaction, 'first_organization', content.firstOrganization);
  await writeFirst(transaction, 'first_key', content.firstKey);
}

function writeFirst(
  transaction: Transaction<Tables>,
  name: 'first_organization' | 'first_key',
  value: string | undefined,
): Promise<unknown> {
  if (value !== undefined) return writeSetting(transaction, name, value);
  return transaction.deleteFrom('settings').where('name', '=', name).execute();
}

/** Rows per statement: every engine accepts at least 32,766 parameters. */
const chunkSize = 100;

async function inChunks<Item>(
  rows: readonly Item[],
  insert: (chunk: readonly Item[]) => { execute(): Promise<unknown> },
): Promise<void> {
  for (let start = 0; start < rows.length; start += chunkSize) {
    await insert(rows.slice(start, start + chunkSize)).execute();
  }
}
