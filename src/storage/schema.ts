import { type CreateTableBuilder, type Kysely, sql, type Transaction } from 'kysely';
import {
  type DeclaredResource,
  isPlainResource,
  type ResourceTable,
  resources,
} from '../api/resources/index.js';
import type { z } from '../api/schema/schema.js';
import { ConfigError } from '../errors/errors.js';
import type { Tables } from './database/tables.js';
import { transact } from './database/transact.js';
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
export function prepareSchema(
  database: Kysely<Tables>,
  engine: Engine,
  name = `the data in ${engine.place}`,
): Promise<void> {
  return transact(database, async (transaction) => {
    await engine.lockSchema(transaction);
    await transaction.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    if (await hasKnownSchema(transaction, name)) return;
    await createTables(transaction, engine);
    await transaction.insertInto('schema_version').values({ version: schemaVersion }).execute();
    await engine.schemaChanged?.(transaction);
  });
}

/** Whether the data has its tables. @throws ConfigError for data of another version */
export async function hasKnownSchema(database: Kysely<Tables>, name: string): Promise<boolean> {
  const row = await database.selectFrom('schema_version').select('version').executeTakeFirst();
  if (row === undefined || row.version === schemaVersion) return row !== undefined;
  throw new ConfigError(
    `${name} was written by another version of orgctl (schema ${row.version}, not ${schemaVersion})`,
    {
      hint: 'use that version, or an empty data directory or database; nothing was changed',
    },
  );
}

async function createTables(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
  const { schema } = transaction;
  await schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('organizations')
    .addColumn('sequence', engine.counter, (column) => engine.sequence(column))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('quotas')
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('quota_limit', 'integer', (column) => column.notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotas_primary_key', ['organization_id', 'kind'])
    .execute();
  for (const resource of resources) await createResourceTable(transaction, engine, resource);
  await (engine.exclusive ? createSecondCopies(transaction) : createRateWindows(transaction));
}

interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'sealed';
  readonly isOptional?: boolean;
  /** Not copied into the index: it changes with every request. */
  readonly changesOften?: true;
}

/** Columns of resources with code of their own, besides the common ones. */
const ownColumns: Partial<Readonly<Record<ResourceTable, readonly Column[]>>> = {
  api_keys: [
    { name: 'secret', type: 'sealed' },
    { name: 'enabled', type: 'integer' },
    { name: 'last_used_at', type: 'text', isOptional: true, changesOften: true },
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

/** In SQLite, the index for lists also copies most unsealed columns, so that the integrity check finds silent corruption. */
async function createResourceTable(
  { schema }: Transaction<Tables>,
  engine: Engine,
  resource: DeclaredResource,
): Promise<void> {
  const { table } = resource;
  const columns = columnsOf(resource);
  let creating: CreateTableBuilder<string, string> = schema
    .createTable(table)
    .addColumn('sequence', engine.counter, (column) => engine.sequence(column))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull());
  for (const { name, type, isOptional } of columns) {
    creating = creating.addColumn(name, type === 'sealed' ? engine.bytes : type, (column) =>
      isOptional ? column : column.notNull(),
    );
  }
  await creating.execute();
  const copied = columns.filter(({ type, changesOften }) => type !== 'sealed' && !changesOften);
  const copies = engine.exclusive ? ['name', 'created_at', ...copied.map(({ name }) => name)] : [];
  await schema
    .createIndex(`${table}_in_order`)
    .on(table)
    .columns(['organization_id', 'sequence', ...copies])
    .execute();
}

/** Indexes whose only purpose is that the integrity check compares them with their tables. */
async function createSecondCopies({ schema }: Transaction<Tables>): Promise<void> {
  const copied = {
    settings: ['name', 'value'],
    organizations: ['id', 'name', 'created_at'],
    quotas: ['organization_id', 'kind', 'quota_limit'],
  };
  for (const [table, columns] of Object.entries(copied)) {
    await schema.createIndex(`${table}_twice`).on(table).columns(columns).execute();
  }
}

/** Unlogged: a crash of the database resets the counts, but no request waits for the disk. */
async function createRateWindows({ schema }: Transaction<Tables>): Promise<void> {
  await schema
    .createTable('rate_windows')
    .modifyFront(sql`unlogged`)
    .addColumn('key_id', 'text', (column) => column.primaryKey())
    .addColumn('started_at', 'double precision', (column) => column.notNull())
    .addColumn('requests', 'integer', (column) => column.notNull())
    .execute();
}
