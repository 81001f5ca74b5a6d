import { type Kysely, sql } from 'kysely';
import { limitedResources, type QuotaKind, type ResourceTable, resources } from '../api/resources/index.js';
import { readMessage } from '../errors/errors.js';
import type { Cipher } from './database/cipher.js';
import type { Tables } from './database/tables.js';
import {
  additionalData,
  type SealedColumn,
  sealedColumns,
  sealedValues,
} from './encryption/sealed-columns.js';

export interface Inspection {
  readonly organizations: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

const maxUnopened = 10;

export async function inspect(database: Kysely<Tables>, cipher: Cipher): Promise<Inspection> {
  const { apiKeys, connections } = sealedColumns;
  const problems = [
    ...(await miscounts(database)),
    ...(await findUnopened(database, apiKeys, (sealed, data) => cipher.open(sealed, data))),
    ...(await findUnopened(database, connections, (sealed, data) =>
      requireObject(cipher.open(sealed, data)),
    )),
  ];
  const counts: Record<string, number> = {};
  for (const { property, table } of resources) counts[property] = await countRows(database, table);
  return {
    organizations: await countRows(database, 'organizations'),
    counts,
    problems: problems.slice(0, maxUnopened),
  };
}

export async function miscounts(database: Kysely<Tables>): Promise<string[]> {
  const found: string[] = [];
  for (const { kind, table } of limitedResources) {
    const { rows } = await wrongCounts(kind, table).execute(database);
    for (const { id, used, present } of rows) {
      found.push(`the quota for ${kind} in ${id} counts ${used ?? 'nothing'}, but there are ${present}`);
    }
  }
  return found;
}

/** Uses a single statement, which sees consistent data even while other servers write. */
function wrongCounts(kind: QuotaKind, table: ResourceTable) {
  return sql<{ id: string; used: number | null; present: number }>`
    select o.id, q.used, coalesce(c.present, 0) as present
    from organizations o
    left join quotas q on q.organization_id = o.id and q.kind = ${kind}
    left join (
      select organization_id, count(*) as present from ${sql.table(table)} group by organization_id
    ) c on c.organization_id = o.id
    where q.used is null or q.used <> coalesce(c.present, 0)
    order by o.id limit ${sql.lit(maxUnopened)}`;
}

async function findUnopened(
  database: Kysely<Tables>,
  column: SealedColumn,
  open: (sealed: Uint8Array | ArrayBuffer, additionalData: string) => unknown,
): Promise<string[]> {
  const found: string[] = [];
  for await (const { id, sealed } of sealedValues(database, column)) {
    try {
      open(sealed, additionalData(column, id));
    } catch (error) {
      if (found.length < maxUnopened)
        found.push(`the encrypted data of ${id} cannot be opened: ${readMessage(error)}`);
    }
  }
  return found;
}

function requireObject(text: string): void {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('it is not an object');
}

async function countRows(database: Kysely<Tables>, table: 'organizations' | ResourceTable): Promise<number> {
  const { count } = await database
    .selectFrom(table)
    .select((column) => column.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
