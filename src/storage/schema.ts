import { type Kysely, sql } from 'kysely';
import { type DeclaredResource, resources } from '../api/resources/index.js';
import { ConfigError } from '../errors/errors.js';
import { columnsOf } from './columns.js';
import type { Engine } from './engine.js';
import type { Tables } from './tables.js';

/** Increase it with every change of the tables (CONTRIBUTING.md): data of any other version is refused. */
const schemaVersion = 5;

/** Creates the tables of new data. @throws ConfigError for data of another version, which stays as it is */
export function prepareSchema(engine: Engine, name = `the data in ${engine.place}`): Promise<void> {
  return engine.write(async (transaction) => {
    await sql`create table if not exists schema_version (version integer not null)`.execute(transaction);
    if (await hasKnownSchema(transaction, name)) return;
    for (const statement of tableStatements(engine)) await sql.raw(statement).execute(transaction);
    await transaction.insertInto('schema_version').values({ version: schemaVersion }).execute();
  });
}

/** Whether the data has its tables. @throws ConfigError for data of another version */
async function hasKnownSchema(database: Kysely<Tables>, name: string): Promise<boolean> {
  const row = await database.selectFrom('schema_version').select('version').executeTakeFirst();
  if (row === undefined || row.version === schemaVersion) return row !== undefined;
  throw new ConfigError(
    `${name} was written by another version of orgctl (schema ${row.version}, not ${schemaVersion})`,
    { hint: 'use that version, or an empty data directory or database; nothing was changed' },
  );
}

const ownerColumn = 'organization_id text not null references organizations (id)';

function tableStatements({ types, exclusive }: Engine): string[] {
  const sequence = `sequence ${types.sequence}`;
  return [
    'create table settings (name text primary key, value text not null)',
    `create table organizations (${sequence}, id text not null unique, name text not null, created_at text not null)`,
    `create table quotas (${ownerColumn}, kind text not null, quota_limit integer not null,
      used integer not null, primary key (organization_id, kind))`,
    ...resources.flatMap((resource) => [
      `create table ${resource.table} (${sequence}, ${ownerColumn}, ${fieldColumns(resource, types)})`,
      `create index ${resource.table}_in_order on ${resource.table} (organization_id, sequence)`,
    ]),
    // Unlogged: a crash of PostgreSQL resets the counts, but no request waits for the disk.
    `create ${exclusive ? '' : 'unlogged '}table rate_windows (key_id text primary key,
      started_at double precision not null, requests integer not null)`,
  ];
}

function fieldColumns(resource: DeclaredResource, { bytes }: Engine['types']): string {
  const columns = columnsOf(resource).map(({ name, form, isNullable, sealed }) => {
    const type = sealed ? bytes : form === 'boolean' ? 'integer' : 'text';
    return `"${name}" ${type}${isNullable ? '' : ' not null'}${name === 'id' ? ' unique' : ''}`;
  });
  return columns.join(', ');
}
