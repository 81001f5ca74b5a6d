import type { Kysely } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';
import { resourceTables, type Tables } from '../database/tables.js';

/** IDs per query: databases limit the parameters of a statement. */
const soughtTogether = 500;

/** Row numbers in creation order, the same on all servers and after restarts, until all content is replaced. */
export interface RowNumbers {
  numbers(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  idAt(organizationId: string, number: number): Promise<string | undefined>;
  hasAfter(organizationId: string, number: number): Promise<boolean>;
}

export function openRowNumbers(database: Kysely<Tables>, table: ResourceTable): RowNumbers {
  const own = (organizationId: string) =>
    resourceTables(database).selectFrom(table).where('organization_id', '=', organizationId);
  return {
    async numbers(organizationId, ids) {
      const found = new Map<string, number>();
      for (let start = 0; start < ids.length; start += soughtTogether) {
        const rows = await own(organizationId)
          .select(['id', 'sequence'])
          .where('id', 'in', ids.slice(start, start + soughtTogether))
          // PostgreSQL's 64-bit integers arrive as text.
          .$castTo<{ readonly id: string; readonly sequence: number | string }>()
          .execute();
        for (const { id, sequence } of rows) found.set(id, Number(sequence));
      }
      return found;
    },
    async idAt(organizationId, number) {
      const query = own(organizationId).select('id').where('sequence', '=', number);
      return (await query.$castTo<{ readonly id: string }>().executeTakeFirst())?.id;
    },
    async hasAfter(organizationId, number) {
      const query = own(organizationId).select('id').where('sequence', '>', number).limit(1);
      return (await query.executeTakeFirst()) !== undefined;
    },
  };
}
