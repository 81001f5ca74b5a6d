import type { Creation, NewRow } from '../context.js';
import type { Query } from './connection.js';

const lockQuota = 'select quota_limit, used from quotas where organization_id = $1 and kind = $2 for update';

/** As many as there is room for; once what is used is over the limit, none. */
const count =
  'update quotas set used = used + least($3, quota_limit - used)' +
  ' where organization_id = $1 and kind = $2 and used < quota_limit';

const room = 'select quota_limit - used from quotas where organization_id = $1 and kind = $2';

/**
 * The statements that store the rows which their quota has room for, in their order, and count them. Each is a statement of
 * its own, since each sees what was committed before it began: the second and third see what the first has waited for.
 */
export function insertWithRoom(creations: readonly [Creation, ...Creation[]]): Query[] {
  const [{ organizationId, quota, table, row }] = creations;
  const columns = Object.keys(row);
  const values = columns.map((column) => creations.map((creation) => creation.row[column]));
  if (quota === undefined) return [{ sql: insert(table, row, 0), parameters: values, named: true }];
  const whose = [organizationId, quota];
  return [
    { sql: lockQuota, parameters: whose, named: true },
    {
      sql: `${insert(table, row, whose.length)} where place <= (${room})`,
      parameters: [...whose, ...values],
      named: true,
    },
    { sql: count, parameters: [...whose, creations.length], named: true },
  ];
}

/** An insert of rows that come as one array for each column, so that its text is the same for any number of them. */
function insert(table: string, row: NewRow, before: number): string {
  const columns = Object.keys(row);
  const names = columns.map((column) => `"${column}"`).join(', ');
  const arrays = columns.map((column, at) => `$${before + at + 1}::${typeOf(row[column])}[]`).join(', ');
  const rows = `unnest(${arrays}) with ordinality as made (${names}, place)`;
  return `insert into "${table}" (${names}) select ${names} from ${rows}`;
}

function typeOf(value: unknown): string {
  if (value instanceof Uint8Array) return 'bytea';
  return typeof value === 'number' ? 'bigint' : 'text';
}
