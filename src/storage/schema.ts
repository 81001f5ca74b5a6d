import { type Kysely, sql } from 'kysely';
import { resources } from '../api/resources/index.js';
import type { ResourceDeclaration } from '../api/resources/resource.js';
import { z } from '../api/schema/schema.js';
import { ConfigError, readMessage } from '../errors/errors.js';
import { parseJson, printJson } from '../text/exact-json.js';
import { type Engine, StoreBroken } from './engine.js';
import { additionalData, type KeyRing } from './key-ring.js';
import { type SealedColumn, sealedColumns, type Tables } from './tables.js';

/** Data of any other version is refused. Increase the number with any change but a new resource (CONTRIBUTING.md). */
const schemaVersion = 2 + resources.length;

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

function fieldColumns(resource: ResourceDeclaration, { bytes }: Engine['types']): string {
  const columns = columnsOf(resource).map(({ name, form, isNullable, sealed }) => {
    const type = sealed ? bytes : form === 'boolean' ? 'integer' : 'text';
    return `"${name}" ${type}${isNullable ? '' : ' not null'}${name === 'id' ? ' unique' : ''}`;
  });
  return columns.join(', ');
}

export interface StorageContext {
  readonly engine: Engine;
  readonly ring: KeyRing;
  /** The current time: ISO 8601 in UTC, as in the tables. */
  now(): string;
}

/** How a field of a resource is stored. */
export interface Column {
  readonly name: string;
  /** Text as is, booleans as 1 and 0, others as JSON. */
  readonly form: 'text' | 'boolean' | 'json';
  readonly isNullable: boolean;
  /** If given, the whole value is sealed, because any part of it may be secret. */
  readonly sealed: SealedColumn | undefined;
}

/** Uses `created` if there is one: only that schema has a key's secret. */
export function columnsOf(resource: ResourceDeclaration): Column[] {
  const shape: Readonly<Record<string, z.core.$ZodType>> = (resource.created ?? resource.answer)().shape;
  const ofTable = Object.values(sealedColumns).filter(({ table }) => table === resource.table);
  return Object.entries(shape).map(([name, schema]) => {
    const isNullable = schema instanceof z.ZodMiniNullable;
    const own = isNullable ? schema.def.innerType : schema;
    const plain = own instanceof z.ZodMiniString ? 'text' : 'json';
    return {
      ...{ name, isNullable, form: own instanceof z.ZodMiniBoolean ? 'boolean' : plain },
      sealed: ofTable.find(({ column }) => column === name),
    };
  });
}

export function toStored(
  { form, sealed }: Column,
  value: unknown,
  { ring }: StorageContext,
  id: string,
): unknown {
  if (value === null) return null;
  const plain = form === 'text' ? value : form === 'boolean' ? Number(value) : printJson(value);
  return sealed ? ring.seal(String(plain), additionalData(sealed, id)) : plain;
}

/** @throws StoreBroken as `openSealed` */
export function fromStored(
  { form, sealed }: Column,
  stored: unknown,
  context: StorageContext,
  id: string,
): unknown {
  if (stored === null) return null;
  const plain = sealed ? openSealed(stored, sealed, context, id) : stored;
  if (form === 'boolean') return plain === 1;
  return form === 'text' ? plain : parseJson(String(plain));
}

/** @throws StoreBroken if the value is damaged, or its master key is not in the ring */
export function openSealed(
  value: unknown,
  column: SealedColumn,
  { engine, ring }: StorageContext,
  id: string,
): string {
  const data = additionalData(column, id);
  try {
    if (!(value instanceof Uint8Array)) throw new TypeError('it is not encrypted');
    return ring.open(value, data);
  } catch (cause) {
    throw new StoreBroken(engine.place, `${data} cannot be decrypted: ${readMessage(cause)}`, { cause });
  }
}
