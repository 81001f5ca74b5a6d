import type { ColumnType, Generated, Kysely } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';

/**
 * The tables, as every engine holds them. Times are ISO 8601 in UTC and flags are 0 or 1, because those read and
 * compare alike in every engine. `sequence` is the order of creation: clocks can be set, and two rows can share one.
 */
export interface Tables extends Readonly<Record<ResourceTable, ResourceColumns>> {
  schema_version: SchemaVersionTable;
  settings: SettingsTable;
  organizations: OrganizationsTable;
  quotas: QuotasTable;
  api_keys: ApiKeysTable;
  connections: ConnectionsTable;
  rate_windows: RateWindowsTable;
}

/** Bytes as they are read: the embedded engine has an ArrayBuffer for them. */
export type StoredBytes = Uint8Array | ArrayBuffer;

/** Bytes that `Cipher.seal` made. */
export type Sealed = ColumnType<StoredBytes, Uint8Array, Uint8Array>;

interface SchemaVersionTable {
  version: number;
}

/** What the store knows of itself, such as which key is the first one. */
interface SettingsTable {
  name: string;
  value: string;
}

interface OrganizationsTable {
  sequence: Generated<number>;
  id: string;
  name: string;
  created_at: string;
}

/** One row for each organization and kind; `used` always equals the number of that kind's rows. */
interface QuotasTable {
  organization_id: string;
  kind: string;
  quota_limit: number;
  used: number;
}

/** What the table of every resource has; the rest are fields of its own. */
export interface ResourceColumns {
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
  config: Sealed;
  /** What answers show of `config`, sealed too; see `shown-settings.ts`. */
  shown: ColumnType<StoredBytes | null, Uint8Array | null | undefined, Uint8Array | null>;
  updated_at: string;
}

/** The requests of one key in its window; only in databases that servers share. */
interface RateWindowsTable {
  key_id: string;
  /** Milliseconds since the epoch. */
  started_at: number;
  requests: number;
}

type ResourceTables = Readonly<Record<string, Record<string, unknown>>>;

/** The tables of resources, whose columns are known from the declarations alone. */
export function resourceTables(database: Kysely<Tables>): Kysely<ResourceTables> {
  return database.withTables<ResourceTables>();
}
