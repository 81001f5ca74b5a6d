import { type Kysely, sql } from 'kysely';
import { limitedResources, type QuotaKind, type ResourceTable, resources } from '../api/resources/index.js';
import { readMessage } from '../errors/errors.js';
import { additionalData, fingerprintOf, type KeyRing } from './key-ring.js';
import { sealedValues } from './master-key.js';
import { sealedColumns, type Tables } from './tables.js';

const maxProblems = 10;

/** Counts all data, and checks quota counts and encrypted values. Lists the keys (fingerprints) that encrypt values. */
export async function inspect(database: Kysely<Tables>, ring: KeyRing) {
  const problems = await miscounts(database);
  const fingerprints = new Set<string>();
  for (const column of Object.values(sealedColumns)) {
    for await (const values of sealedValues(database, column)) {
      for (const { id, sealed } of values) {
        fingerprints.add(fingerprintOf(sealed));
        try {
          ring.open(sealed, additionalData(column, id));
        } catch (error) {
          problems.push(`the encrypted data of ${id} cannot be opened: ${readMessage(error)}`);
        }
      }
    }
  }
  const counts: Record<string, number> = {};
  for (const { property, table } of resources) counts[property] = await countRows(database, table);
  const organizations = await countRows(database, 'organizations');
  return { ...counts, organizations, fingerprints, problems: problems.slice(0, maxProblems) };
}

/** With a wrong count, the server would refuse creations too early or too late. */
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
    order by o.id limit ${sql.lit(maxProblems)}`;
}

async function countRows(database: Kysely<Tables>, table: 'organizations' | ResourceTable): Promise<number> {
  const query = database.selectFrom(table).select((column) => column.fn.countAll().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}
