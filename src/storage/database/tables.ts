import type { ColumnType, Generated, Kysely } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';

/** Times stored as text are ISO 8601 in UTC. `sequence` is the creation order: times may repeat or go back. */
export interface Tables extends Readonly<Record<ResourceTable, ResourceColumns>> {
  schema_version: { version: number };
  settings: { name: string; value: string };
  organizations: OrganizationsTable;
  quotas: QuotasTable;
  api_keys: ApiKeysTable;
  connections: ConnectionsTable;
  rate_windows: RateWindowsTable;
}

/** An ArrayBuffer comes from libsql when a statement returns all rows at once. */
export type StoredBytes = Uint8Array | ArrayBuffer;

type Sealed = ColumnType<StoredBytes, Uint8Array, Uint8Array>;

export interface SealedColumn {
  readonly table: ResourceTable;
  readonly column: string;
}

/** Columns whose values are encrypted; `rotate-master-key` encrypts them anew. */
export const sealedColumns = {
  apiKeys: { table: 'api_keys', column: 'secret' },
  connections: { table: 'connections', column: 'config' },
} as const satisfies Readonly<Record<string, SealedColumn>>;

interface OrganizationsTable {
  sequence: Generated<number>;
  id: string;
  name: string;
  created_at: string;
}

/** One row per organization and kind with a quota. */
interface QuotasTable {
  organization_id: string;
  kind: string;
  quota_limit: number;
  used: number;
}

interface ResourceColumns {
  sequence: Generated<number>;
  id: string;
  organization_id: string;
  name: string;
  created_at: string;
}

interface ApiKeysTable extends ResourceColumns {
  secret: Sealed;
  enabled: number;
  last_used_at: string | null;
}

interface ConnectionsTable extends ResourceColumns {
  type: string;
  updated_at: string;
  config: Sealed;
}

interface RateWindowsTable {
  key_id: string;
  started_at: number;
  requests: number;
}

type ResourceTables = Readonly<Record<string, Record<string, unknown>>>;

/** The same database with unchecked table and column names, for queries on any resource's table. */
export function resourceTables(database: Kysely<Tables>): Kysely<ResourceTables> {
  return database.withTables<ResourceTables>();
}
