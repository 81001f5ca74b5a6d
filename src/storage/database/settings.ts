import type { Kysely } from 'kysely';
import type { Tables } from './tables.js';

export type SettingName = 'master_key_check' | 'first_organization' | 'first_key' | 'last_probe';

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
