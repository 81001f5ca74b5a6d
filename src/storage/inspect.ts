import { type Kysely, sql } from 'kysely';
import { type ResourceTable, resources } from '../api/resources/index.js';
import { readMessage } from '../errors/errors.js';
import { additionalData, fingerprintOf, type KeyRing, sealedValues } from './key-ring.js';
import { sealedColumns, type Tables } from './tables.js';

const maxProblems = 10;

/** Counts all data, and checks quota counts and encrypted values. */
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
  const count = async (table: 'organizations' | ResourceTable) => {
    const query = database.selectFrom(table).select((column) => column.fn.countAll().as('count'));
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  const counts: Record<string, number> = {};
  for (const { property, table } of resources) counts[property] = await count(table);
  const organizations = await count('organizations');
  return { ...counts, organizations, fingerprints, problems: problems.slice(0, maxProblems) };
}

/** With a wrong count, the server would refuse creations too early or too late. */
export async function miscounts(database: Kysely<Tables>): Promise<string[]> {
  const found: string[] = [];
  for (const { kind, table } of resources) {
    // A single statement sees consistent data even while other servers write.
    const query = sql<{ id: string; used: number | null; present: number }>`select * from (
      select o.id, (select used from quotas q where q.organization_id = o.id and q.kind = ${kind}) as used,
        (select count(*) from ${sql.table(table)} r where r.organization_id = o.id) as present
      from organizations o) counted
      where used is null or used <> present order by id limit ${sql.lit(maxProblems)}`;
    for (const { id, used, present } of (await query.execute(database)).rows) {
      found.push(`the quota for ${kind} in ${id} counts ${used ?? 'nothing'}, but there are ${present}`);
    }
  }
  return found;
}
