import { type CreateTableBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { Engine } from '../engine/engine.js';

/** What the step of a new resource is told of it; a step is never changed, so it says all this itself. */
export interface NewResource {
  readonly kind: string;
  readonly table: string;
  /** The limit of organizations that are there already; absent where there is no quota. */
  readonly quota?: number;
  /** Its columns beside those that all resources have, each of text: `updated_at` among them where it can be changed. */
  readonly texts: readonly string[];
  /** Its columns of text that may be null. */
  readonly optionalTexts?: readonly string[];
}

/**
 * Makes the table of a new resource, with the index that a list is read by, and gives each organization its quota. The
 * embedded database has a second copy of every value in that index (0002-second-copies.ts).
 */
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
