import type { Kysely, Transaction } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';
import { compiledOnce } from '../database/compiled-once.js';
import type { NewRow, RowCreation } from '../database/context.js';
import { resourceTables, type Tables } from '../database/tables.js';
import { reserveQuota } from '../reading/quotas.js';

type Insert = (database: Kysely<Tables>, row: NewRow) => Promise<unknown>;

const inserts = new Map<ResourceTable, Insert>();

function insertInto(table: ResourceTable, row: NewRow): Insert {
  const known = inserts.get(table);
  if (known !== undefined) return known;
  const columns = Object.keys(row);
  const insert = compiledOnce<NewRow>((database, parameter) =>
    resourceTables(database)
      .insertInto(table)
      .values(Object.fromEntries(columns.map((column) => [column, parameter(column)]))),
  );
  inserts.set(table, insert);
  return insert;
}

/** Reserves quota last, because other creations wait for the quota's row. @throws QuotaExceeded; then roll back */
export async function createWithin(
  transaction: Transaction<Tables>,
  { organizationId, quota, table, row }: RowCreation,
): Promise<void> {
  await insertInto(table, row)(transaction, row);
  if (quota !== undefined) await reserveQuota(transaction, organizationId, quota);
}
