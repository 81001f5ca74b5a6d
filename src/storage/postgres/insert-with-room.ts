import { largestLimit } from '../../api/quota.js';
import type { NewRow } from '../database/context.js';
import type { SettingName } from '../database/settings.js';
import type { Creations } from '../engine/shared-creations.js';
import type { PostgresQuery } from './connection.js';

export type Inserted = {
  readonly organization_id: string;
  readonly quota_limit: number;
  readonly used: number;
  readonly made: number;
  readonly check: string | null;
};

const checkSetting: SettingName = 'master_key_check';

/**
 * Locks quotas, inserts each organization's first rows up to its limit, and counts them. Inserts nothing if rows have
 * sealed values and `check` is not the stored value. Quotas that the statement waited for are read in their latest
 * version (PostgreSQL, "Read Committed Isolation Level").
 * @param waits whether to wait for locked quotas instead of skipping them; waiting for several could deadlock
 */
export function insertWithRoom(creations: Creations, check: string, waits: boolean): PostgresQuery {
  const [{ quota, table, row, seals }] = creations;
  const columns = Object.keys(row);
  const values = columns.map((column) => creations.map((creation) => creation.row[column]));
  const organizations = [...new Set(creations.map(({ organizationId }) => organizationId))];
  const parameters = [organizations, quota ?? '', seals ? check : null, ...values];
  const quotas = quota === undefined ? ampleQuotas : lockedQuotas(waits);
  return { sql: statement(table, row, quotas, quota !== undefined), parameters, named: true };
}

/** With one array per column, the text is the same for any number of rows. */
function statement(table: string, row: NewRow, quotas: string, isLimited: boolean): string {
  const names = Object.keys(row).map((column) => `"${column}"`);
  const columns = names.join(', ');
  const arrays = Object.values(row).map((value, at) => `$${at + 4}::${parameterType(value)}[]`);
  return `with quota as (${quotas}),
    key as (select (select value from settings where name = '${checkSetting}') as value),
    new as (
      select *, row_number() over (partition by organization_id order by place) as nth
      from unnest(${arrays.join(', ')}) with ordinality as row (${columns}, place)
    ),
    inserted as (
      insert into "${table}" (${columns})
      select ${names.map((name) => `new.${name}`).join(', ')}
      from new join quota on quota.organization_id = new.organization_id, key
      where nth <= quota_limit - used and ($3::text is null or $3 = key.value)
      order by place
      returning organization_id
    ),
    made as (select organization_id, count(*)::int as made from inserted group by organization_id)
    ${isLimited ? countedUse : ''}
    select organization_id, quota_limit, used, coalesce(made, 0) as made, key.value as check
    from quota left join made using (organization_id), key`;
}

function lockedQuotas(waits: boolean): string {
  const quotas =
    'select organization_id, quota_limit, used from quotas where organization_id = any ($1::text[]) and kind = $2';
  return `${quotas} for update${waits ? '' : ' skip locked'}`;
}

/** For kinds without a quota. Uses both parameters, so that PostgreSQL knows their types. */
const ampleQuotas = `select unnest($1::text[]) as organization_id, ${largestLimit} as quota_limit, 0 as used
  where $2::text is not null`;

const countedUse = `, counted as (
      update quotas set used = used + made from made
      where quotas.organization_id = made.organization_id and kind = $2
    )`;

function parameterType(value: unknown): string {
  if (value instanceof Uint8Array) return 'bytea';
  return typeof value === 'number' ? 'bigint' : 'text';
}
