import type { Kysely } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';
import { resourceTables, type Tables } from '../database/tables.js';

export interface SealedColumn {
  readonly table: ResourceTable;
  readonly column: string;
}

export const sealedColumns = {
  apiKeys: { table: 'api_keys', column: 'secret' },
  connections: { table: 'connections', column: 'config' },
} as const satisfies Readonly<Record<string, SealedColumn>>;

export function isSealed(table: ResourceTable): boolean {
  return Object.values(sealedColumns).some((sealed) => sealed.table === table);
}

export function additionalData({ table, column }: SealedColumn, id: string): string {
  return `${table}.${column} ${id}`;
}

interface SealedValue {
  readonly id: string;
  readonly sealed: Uint8Array | ArrayBuffer;
}

const rowsSealedAtOnce = 500;

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
