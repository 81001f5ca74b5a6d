import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import {
  type DeclaredResource,
  isPlainResource,
  type ResourceTable,
  resources,
} from '../api/resources/index.js';
import type { z } from '../api/schema/schema.js';
import { ConfigError } from '../errors/errors.js';
import type { Tables } from './database/tables.js';
import type { Engine } from './engine/engine.js';
import { isAbsentable } from './plain-storing.js';

/**
 * Increase it with every change of the tables: data of any other version is refused. Once a version is released, such a
 * change also has to convert that version's data (CONTRIBUTING.md).
 */
const schemaVersion = 5;

/**
 * Creates the tables of new data, all or none.
 * @param name the data, for messages
 * @throws ConfigError for data of another version, which stays as it is
 */
export function prepareSchema(engine: Engine, name = `the data in ${engine.place}`): Promise<void> {
  return engine.write(async (transaction) => {
    await transaction.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    if (await hasKnownSchema(transaction, name)) return;
    await createTables(transaction, engine);
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

async function createTables(transaction: Kysely<Tables>, engine: Engine): Promise<void> {
  const { schema } = transaction;
  await schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await withCommonColumns(schema.createTable('organizations'), engine).execute();
  await schema
    .createTable('quotas')
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('quota_limit', 'integer', (column) => column.notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotas_primary_key', ['organization_id', 'kind'])
    .execute();
  for (const resource of resources) await createResourceTable(transaction, engine, resource);
  if (!engine.exclusive) await createRateWindows(transaction);
}

function withCommonColumns(table: CreateTableBuilder<string, string>, { columns }: Engine) {
  return table
    .addColumn('sequence', columns.counter, (column) => columns.sequence(column))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull());
}

interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'sealed';
  readonly isOptional?: boolean;
}

/** Columns of resources with code of their own, besides the common ones. */
const ownColumns: Partial<Readonly<Record<ResourceTable, readonly Column[]>>> = {
  api_keys: [
    { name: 'secret', type: 'sealed' },
    { name: 'enabled', type: 'integer' },
    { name: 'last_used_at', type: 'text', isOptional: true },
  ],
  // `config` is last: SQLite would read all of a large one before the columns after it.
  connections: [
    { name: 'type', type: 'text' },
    { name: 'updated_at', type: 'text' },
    { name: 'config', type: 'sealed' },
  ],
};

const commonColumns: readonly string[] = ['id', 'name', 'created_at'];

function columnsOf(resource: DeclaredResource): readonly Column[] {
  if (!isPlainResource(resource)) return ownColumns[resource.table] ?? [];
  const shape: Readonly<Record<string, z.core.$ZodType>> = resource.answer().shape;
  return Object.entries(shape)
    .filter(([name]) => !commonColumns.includes(name))
    .map(([name, field]) => ({ name, type: 'text', isOptional: isAbsentable(field) }));
}

async function createResourceTable(
  { schema }: Kysely<Tables>,
  engine: Engine,
  resource: DeclaredResource,
): Promise<void> {
  const { table } = resource;
  let creating = withCommonColumns(schema.createTable(table), engine).addColumn(
    'organization_id',
    'text',
    (column) => column.notNull().references('organizations.id'),
  );
  for (const { name, type, isOptional } of columnsOf(resource)) {
    const columnType = type === 'sealed' ? engine.columns.bytes : type;
    creating = creating.addColumn(name, columnType, (column) => (isOptional ? column : column.notNull()));
  }
  await creating.execute();
  const inOrder = schema.createIndex(`${table}_in_order`).on(table);
  await inOrder.columns(['organization_id', 'sequence']).execute();
}

/** Unlogged: a crash of the database resets the counts, but no request waits for the disk. */
async function createRateWindows({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('rate_windows')
    .modifyFront(sql`unlogged`)
    .addColumn('key_id', 'text', (column) => column.primaryKey())
    .addColumn('started_at', 'double precision', (column) => column.notNull())
    .addColumn('requests', 'integer', (column) => column.notNull())
    .execute();
}
