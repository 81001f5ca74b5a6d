import type { ColumnType, Generated } from 'kysely';

/**
 * The tables, as every engine holds them. Times are ISO 8601 in UTC and flags are 0 or 1, because those read and
 * compare alike in every engine. `sequence` is the order of creation: clocks can be set, and two rows can share one.
 */
export interface Tables {
  schema_version: SchemaVersionTable;
  settings: SettingsTable;
  organizations: OrganizationsTable;
  quotas: QuotasTable;
  api_keys: ApiKeysTable;
  connections: ConnectionsTable;
  teams: TeamsTable;
  rate_windows: RateWindowsTable;
}

/** Bytes that `Cipher.seal` made; the embedded engine reads them back as an ArrayBuffer. */
type Sealed = ColumnType<Uint8Array | ArrayBuffer, Uint8Array, Uint8Array>;

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

interface ApiKeysTable {
  sequence: Generated<number>;
  id: string;
  organization_id: string;
  name: string;
  secret: Sealed;
  enabled: number;
  last_used_at: string | null;
  created_at: string;
}

interface ConnectionsTable {
  sequence: Generated<number>;
  id: string;
  organization_id: string;
  name: string;
  type: string;
  config: Sealed;
  created_at: string;
  updated_at: string;
}

interface TeamsTable {
  sequence: Generated<number>;
  id: string;
  organization_id: string;
  name: string;
  created_at: string;
  updated_at: string;
}

/** The requests of one key in its window; only in databases that servers share. */
interface RateWindowsTable {
  key_id: string;
  /** Milliseconds since the epoch. */
  started_at: number;
  requests: number;
}
