import type { Kysely } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';
import { resourceTables, type Tables } from '../database/tables.js';

/** A column whose values are encrypted with the master key. */
export interface SealedColumn {
  readonly table: ResourceTable;
  readonly column: string;
}

/** Every such column: whoever inspects the data, or changes the master key, goes through all of them. */
export const sealedColumns = {
  apiKeys: { table: 'api_keys', column: 'secret' },
  connections: { table: 'connections', column: 'config' },
} as const satisfies Readonly<Record<string, SealedColumn>>;

export function isSealed(table: ResourceTable): boolean {
  return Object.values(sealedColumns).some((sealed) => sealed.table === table);
}

/** The additional data that a value is sealed with: it opens in its own row and column alone. */
export function additionalData({ table, column }: SealedColumn, id: string): string {
  return `${table}.${column} ${id}`;
}

/** A value as it is stored, and the ID of its row. */
interface SealedValue {
  readonly id: string;
  readonly sealed: Uint8Array | ArrayBuffer;
}

/** Rows that are in memory at once. */
const rowsSealedAtOnce = 500;

/** All values of a column. They may be changed meanwhile. */
export async function* sealedValues(
  database: Kysely<Tables>,
  { table, column }: SealedColumn,
): AsyncGenerator<SealedValue> {
  const query = resourceTables(database)
    .selectFrom(table)
    .select(['id', `${column} as sealed`])
    .orderBy('id')
    .limit(rowsSealedAtOnce)
    .$castTo<SealedValue>();
  const after = (id: string) => query.where('id', '>', id).execute();
  for (let rows = await after(''); rows.length > 0; rows = await after(rows.at(-1)?.id ?? '')) yield* rows;
}
