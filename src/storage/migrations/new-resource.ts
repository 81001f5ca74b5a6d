import { type CreateTableBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { Engine } from '../engine/engine.js';

/** Parameters of a migration that adds a resource. Spelled out, because released migrations never change. */
export interface NewResource {
  readonly kind: string;
  readonly table: string;
  readonly quota?: number;
  /** Text columns besides the common ones, including `updated_at` if resources can change. */
  readonly texts: readonly string[];
  readonly optionalTexts?: readonly string[];
}

/** In SQLite, the index for lists also contains the values, for the integrity check (0002-second-copies.ts). */
export async function createResourceTable(
  transaction: Transaction<Tables>,
  engine: Engine,
  { kind, table, quota, texts, optionalTexts = [] }: NewResource,
): Promise<void> {
  const { schema } = transaction;
  let creating: CreateTableBuilder<string, string> = schema
    .createTable(table)
    .addColumn('sequence', engine.counter, (column) => engine.sequence(column))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('organization_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull());
  for (const text of texts) creating = creating.addColumn(text, 'text', (column) => column.notNull());
  for (const text of optionalTexts) creating = creating.addColumn(text, 'text');
  await creating.execute();
  const copied = engine.exclusive ? ['name', 'created_at', ...texts, ...optionalTexts] : [];
  await schema
    .createIndex(`${table}_in_order`)
    .on(table)
    .columns(['organization_id', 'sequence', ...copied])
    .execute();
  if (quota === undefined) return;
  await sql`insert into quotas (organization_id, kind, quota_limit, used)
    select id, ${sql.lit(kind)}, ${sql.lit(quota)}, 0 from organizations`.execute(transaction);
}
