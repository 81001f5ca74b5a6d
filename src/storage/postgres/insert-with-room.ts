import type { Creation, NewRow } from '../context.js';
import type { SettingName } from '../settings.js';
import type { Query } from './connection.js';

/** What `insertWithRoom` answers, in one row; none when the organization is gone. */
export type Inserted = {
  readonly quota_limit: number;
  /** Before. */
  readonly used: number;
  /** How many of the rows were inserted: the first ones. */
  readonly made: number;
  /** What the master key of the data is recognized by. */
  readonly check: string | null;
};

const checkName: SettingName = 'master_key_check';

/**
 * The statement that locks a quota, inserts the rows which it has room for, in their order, and counts them. Nothing is
 * inserted where the data has another master key than `check` says and the rows are sealed. A row that was locked late is
 * seen as it is by then, also by what updates it, for both go by the version that the lock was waited for
 * (PostgreSQL, "Read Committed Isolation Level").
 */
export function insertWithRoom(creations: readonly [Creation, ...Creation[]], check: string): Query {
  const [{ organizationId, quota, table, row, seals }] = creations;
  const columns = Object.keys(row);
  const values = columns.map((column) => creations.map((creation) => creation.row[column]));
  const parameters = [organizationId, quota ?? '', creations.length, seals ? check : null, ...values];
  return { sql: statement(table, row, quota !== undefined), parameters, named: true };
}

/** Rows come as one array for each column, so that the text is the same for any number of them. */
function statement(table: string, row: NewRow, isLimited: boolean): string {
  const names = Object.keys(row).map((column) => `"${column}"`);
  const arrays = Object.values(row).map((value, at) => `$${at + 5}::${typeOf(value)}[]`);
  return `with quota as (${isLimited ? lockedQuota : ampleQuota}),
    key as (select (select value from settings where name = '${checkName}') as value),
    room as (
      select case when $4::text is null or key.value = $4 then least($3::int, quota_limit - used) else 0 end as rows
      from quota, key
    ),
    made as (
      insert into "${table}" (${names.join(', ')})
      select ${names.map((name) => `new.${name}`).join(', ')}
      from unnest(${arrays.join(', ')}) with ordinality as new (${names.join(', ')}, place), room
      where place <= room.rows
      returning 1
    )${isLimited ? count : ''}
    select quota_limit, used, (select count(*)::int from made) as made, key.value as check from quota, key`;
}

const lockedQuota =
  'select quota_limit, used from quotas where organization_id = $1 and kind = $2 for update';

/** Where there is no quota; all parameters have to occur, with a type. */
const ampleQuota =
  'select $3::int as quota_limit, 0 as used where $1::text is not null and $2::text is not null';

const count = `, counted as (
      update quotas set used = quotas.used + room.rows from room
      where organization_id = $1 and kind = $2 and room.rows > 0
    )`;

function typeOf(value: unknown): string {
  if (value instanceof Uint8Array) return 'bytea';
  return typeof value === 'number' ? 'bigint' : 'text';
}
