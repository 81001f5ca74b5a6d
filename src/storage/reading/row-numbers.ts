import type { ResourceTable } from '../../api/resources/index.js';
import type { StorageContext } from '../database/context.js';
import { resourceTables } from '../database/tables.js';

/** The most IDs that one query looks up: databases limit the parameters of a statement. */
const soughtTogether = 500;

/**
 * The numbers of one kind's rows, in the order of their creation. They outlive a restart and are the same for all servers of
 * a database; what replaces all content numbers it again.
 */
export interface RowNumbers {
  /** The numbers of these IDs; one that the organization does not have is left out. */
  numbers(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The ID of the row with this number. */
  idAt(organizationId: string, number: number): Promise<string | undefined>;
  /** Whether there are rows behind the one with this number. */
  hasAfter(organizationId: string, number: number): Promise<boolean>;
}

export function openRowNumbers(
  { database }: Pick<StorageContext, 'database'>,
  table: ResourceTable,
): RowNumbers {
  const own = (organizationId: string) =>
    resourceTables(database).selectFrom(table).where('organization_id', '=', organizationId);
  return {
    async numbers(organizationId, ids) {
      const found = new Map<string, number>();
      for (let start = 0; start < ids.length; start += soughtTogether) {
        const rows = await own(organizationId)
          .select(['id', 'sequence'])
          .where('id', 'in', ids.slice(start, start + soughtTogether))
          // The shared database has 64 bits, which its driver returns as text.
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
