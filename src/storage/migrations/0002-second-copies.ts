import type { Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { Engine } from '../engine/engine.js';

/** Copies most unsealed columns into SQLite indexes, so that the integrity check finds silent corruption. */
export async function createSecondCopies(transaction: Transaction<Tables>, engine: Engine): Promise<void> {
  if (!engine.exclusive) return;
  const { schema } = transaction;
  const inOrder = {
    api_keys: ['name', 'created_at', 'enabled'],
    connections: ['name', 'created_at', 'type', 'updated_at'],
    teams: ['name', 'created_at', 'updated_at'],
  };
  for (const [table, rest] of Object.entries(inOrder)) {
    await schema.dropIndex(`${table}_in_order`).execute();
    const columns = ['organization_id', 'sequence', ...rest];
    await schema.createIndex(`${table}_in_order`).on(table).columns(columns).execute();
  }
  const others = {
    settings: ['name', 'value'],
    organizations: ['id', 'name', 'created_at'],
    quotas: ['organization_id', 'kind', 'quota_limit'],
  };
  for (const [table, columns] of Object.entries(others)) {
    await schema.createIndex(`${table}_twice`).on(table).columns(columns).execute();
  }
}
