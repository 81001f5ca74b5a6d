import { type Kysely, sql } from 'kysely';
import type { ResourceKind } from '../contract/resource-kind.js';
import { messageOf } from '../errors.js';
import { placeOfSecret } from './api-keys.js';
import type { Cipher } from './cipher.js';
import { placeOfConfig } from './connections.js';
import type { Tables } from './tables.js';

/** What data holds, and what is wrong with it; the latter is empty when nothing is. */
export interface Inspection {
  readonly organizations: number;
  readonly apiKeys: number;
  readonly connections: number;
  readonly teams: number;
  readonly problems: readonly string[];
}

const tableOf = { 'api-keys': 'api_keys', connections: 'connections', teams: 'teams' } as const;

/** Rows that are in memory at once. */
const batchSize = 500;

/** Problems that are told of. */
const most = 10;

/** Looks at all data that a database holds: opens what is sealed, and counts what quotas count. */
export async function inspect(database: Kysely<Tables>, cipher: Cipher): Promise<Inspection> {
  const problems = [
    ...(await miscounts(database)),
    ...(await unopened(
      (after) =>
        database
          .selectFrom('api_keys')
          .select(['id', 'secret as sealed'])
          .where('id', '>', after)
          .orderBy('id')
          .limit(batchSize)
          .execute(),
      (sealed, id) => cipher.open(sealed, placeOfSecret(id)),
    )),
    ...(await unopened(
      (after) =>
        database
          .selectFrom('connections')
          .select(['id', 'config as sealed'])
          .where('id', '>', after)
          .orderBy('id')
          .limit(batchSize)
          .execute(),
      (sealed, id) => requireObject(cipher.open(sealed, placeOfConfig(id))),
    )),
  ];
  return {
    organizations: await countOf(database, 'organizations'),
    apiKeys: await countOf(database, 'api_keys'),
    connections: await countOf(database, 'connections'),
    teams: await countOf(database, 'teams'),
    problems: problems.slice(0, most),
  };
}

/** Quotas whose count is not what is there, in sentences. */
export async function miscounts(database: Kysely<Tables>): Promise<string[]> {
  const found: string[] = [];
  for (const kind of ['api-keys', 'connections', 'teams'] as const) {
    const { rows } = await wrongCounts(kind).execute(database);
    for (const { id, used, present } of rows) {
      found.push(`the quota of ${kind} of ${id} counts ${used ?? 'nothing'}, and there are ${present}`);
    }
  }
  return found;
}

/** In one statement, which sees one moment of data that others write to. */
function wrongCounts(kind: ResourceKind) {
  return sql<{ id: string; used: number | null; present: number }>`
    select o.id, q.used, coalesce(c.present, 0) as present
    from organizations o
    left join quotas q on q.organization_id = o.id and q.kind = ${kind}
    left join (
      select organization_id, count(*) as present from ${sql.table(tableOf[kind])} group by organization_id
    ) c on c.organization_id = o.id
    where q.used is null or q.used <> coalesce(c.present, 0)
    order by o.id limit ${sql.lit(most)}`;
}

interface Sealed {
  readonly id: string;
  readonly sealed: Uint8Array | ArrayBuffer;
}

async function unopened(
  after: (id: string) => Promise<readonly Sealed[]>,
  open: (sealed: Sealed['sealed'], id: string) => unknown,
): Promise<string[]> {
  const found: string[] = [];
  for (let rows = await after(''); rows.length > 0; rows = await after(rows.at(-1)?.id ?? '')) {
    for (const { id, sealed } of rows) {
      try {
        open(sealed, id);
      } catch (error) {
        if (found.length < most)
          found.push(`what is encrypted of ${id} cannot be opened: ${messageOf(error)}`);
      }
    }
  }
  return found;
}

function requireObject(text: string): void {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error('it is no object');
}

async function countOf(
  database: Kysely<Tables>,
  table: 'organizations' | 'api_keys' | 'connections' | 'teams',
): Promise<number> {
  const { count } = await database
    .selectFrom(table)
    .select((column) => column.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
