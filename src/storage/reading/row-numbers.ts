import type { Kysely } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';
import { resourceTables, type Tables } from '../database/tables.js';

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
    /** @param ids of one page */
    async numbers(organizationId, ids) {
      if (ids.length === 0) return new Map();
      const rows = await own(organizationId)
        .select(['id', 'sequence'])
        .where('id', 'in', ids)
        // PostgreSQL's 64-bit integers arrive as text.
        .$castTo<{ readonly id: string; readonly sequence: number | string }>()
        .execute();
      return new Map(rows.map(({ id, sequence }) => [id, Number(sequence)]));
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
