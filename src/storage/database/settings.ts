import type { Kysely } from 'kysely';
import type { Tables } from './tables.js';

export type SettingName =
  | 'master_key_check'
  | 'master_key_fingerprint'
  | 'first_organization'
  | 'first_key'
  | 'schema_digest'
  | 'last_probe';

export async function readSetting(database: Kysely<Tables>, name: SettingName): Promise<string | undefined> {
  const row = await database
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value;
}

export async function writeSetting(
  database: Kysely<Tables>,
  name: SettingName,
  value: string,
): Promise<void> {
  await database
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function removeSetting(database: Kysely<Tables>, name: SettingName): Promise<void> {
  await database.deleteFrom('settings').where('name', '=', name).execute();
}
