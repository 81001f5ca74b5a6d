import type { Generated, Kysely } from 'kysely';
import type { ResourceTable } from '../api/resources/index.js';

/** Times stored as text are ISO 8601 in UTC. `sequence` is the creation order: times may repeat or go back. */
export interface Tables extends Record<ResourceTable, ResourceTableColumns> {
  schema_version: { version: number };
  settings: { name: string; value: string };
  organizations: OrganizationsTable;
  /** One row per organization and kind with a quota. */
  quotas: { organization_id: string; kind: string; quota_limit: number; used: number };
  api_keys: ApiKeysTable;
  connections: ResourceTableColumns & { config: Uint8Array };
  rate_windows: { key_id: string; started_at: number; requests: number };
}

interface OrganizationsTable {
  sequence: Generated<number>;
  id: string;
  name: string;
  created_at: string;
}

interface ResourceTableColumns extends OrganizationsTable {
  organization_id: string;
}

interface ApiKeysTable extends ResourceTableColumns {
  secret: Uint8Array;
  enabled: number;
  last_used_at: string | null;
}

export interface SealedColumn {
  readonly table: ResourceTable;
  readonly column: string;
}

export const sealedColumns = {
  apiKeys: { table: 'api_keys', column: 'secret' },
  connections: { table: 'connections', column: 'config' },
} as const satisfies Readonly<Record<string, SealedColumn>>;

type ResourceTables = Readonly<Record<string, Record<string, unknown>>>;

/** For any resource's table: the types do not check names of tables and columns. */
export function resourceTables(database: Kysely<Tables>): Kysely<ResourceTables> {
  return database.withTables<ResourceTables>();
}

type SettingName = 'master_key_check' | 'first_organization' | 'first_key' | 'last_probe';

export async function readSetting(database: Kysely<Tables>, name: SettingName): Promise<string | undefined> {
  const query = database.selectFrom('settings').select('value').where('name', '=', name);
  return (await query.executeTakeFirst())?.value;
}

/** @param value `undefined` removes the setting */
export async function writeSetting(
  database: Kysely<Tables>,
  name: SettingName,
  value: string | undefined,
): Promise<void> {
  await database.deleteFrom('settings').where('name', '=', name).execute();
  if (value !== undefined) await database.insertInto('settings').values({ name, value }).execute();
}
