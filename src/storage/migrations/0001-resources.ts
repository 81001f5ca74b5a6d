import { sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { Engine } from '../engine/engine.js';

export async function createResources(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
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
  await createKeys(transaction, engine);
  await createConnectionsAndTeams(transaction, engine);
  if (!engine.exclusive) await createRateWindows(transaction);
}

async function createKeys(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
  await resourceTable(transaction, engine, 'api_keys')
    .addColumn('secret', engine.bytes, (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .execute();
  await orderIndex(transaction, 'api_keys');
}

async function createConnectionsAndTeams(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
  await resourceTable(transaction, engine, 'connections')
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('config', engine.bytes, (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  await orderIndex(transaction, 'connections');
  await resourceTable(transaction, engine, 'teams')
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .execute();
  await orderIndex(transaction, 'teams');
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

type FirstTable = 'api_keys' | 'connections' | 'teams';

function resourceTable(transaction: Transaction<Tables>, engine: Engine, name: FirstTable) {
  return transaction.schema
    .createTable(name)
    .addColumn('sequence', engine.counter, (column) => engine.sequence(column))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull());
}

function orderIndex(transaction: Transaction<Tables>, table: FirstTable): Promise<void> {
  return transaction.schema
    .createIndex(`${table}_in_order`)
    .on(table)
    .columns(['organization_id', 'sequence'])
    .execute();
}
