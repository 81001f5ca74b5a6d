import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';
import { compiledOnce } from '../database/compiled-once.js';
import type { StorageContext } from '../database/context.js';
import { resourceTables, type Tables } from '../database/tables.js';

export interface RowPageRequest extends RowSearch {
  readonly page: number;
  readonly limit: number;
  /** Continues after the row with this sequence; overrides `page` and `search`. */
  readonly after?: number | undefined;
}

export interface RowSearch {
  /** Part of the name, or the whole ID. In names, at least the case of ASCII letters is ignored. */
  readonly search?: string | undefined;
}

/** Does not use `like`, which would interpret wildcards in the search. */
export function isFoundBy(search: string | RawBuilder<string>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(replace(lower(name), lower(${search}), '') <> lower(name) or id = ${search})`;
}

interface PagePart {
  readonly organizationId: string;
  readonly offset: number;
  readonly limit: number;
}

type ListTables = Readonly<Record<string, Record<string, unknown>>>;
type PageQuery<Row> = SelectQueryBuilder<ListTables, string, Row>;

export function listReader<Row>(
  { database }: Pick<StorageContext, 'database'>,
  table: ResourceTable,
  select: (query: PageQuery<object>) => PageQuery<Row>,
): (organizationId: string, page: RowPageRequest) => Promise<Row[]> {
  const readPart = compiledOnce<PagePart, Row>((on, parameter) => select(selectPart(on, table, parameter)));
  const readFound = compiledOnce<PagePart & { readonly search: string }, Row>((on, parameter) =>
    select(selectPart(on, table, parameter)).where(isFoundBy(parameter('search'))),
  );
  const readAfter = compiledOnce<PagePart & { readonly after: number }, Row>((on, parameter) =>
    select(selectPart(on, table, parameter)).where('sequence', '>', parameter('after')),
  );
  return async (organizationId, { page, limit, search = '', after }) => {
    const part = { organizationId, offset: after === undefined ? (page - 1) * limit : 0, limit };
    if (after !== undefined) return (await readAfter(database, { ...part, after })).rows;
    const read = search === '' ? readPart(database, part) : readFound(database, { ...part, search });
    return (await read).rows;
  };
}

function selectPart(
  database: Kysely<Tables>,
  table: ResourceTable,
  parameter: <Name extends keyof PagePart>(name: Name) => RawBuilder<PagePart[Name]>,
): PageQuery<object> {
  return resourceTables(database)
    .selectFrom(table)
    .where('organization_id', '=', parameter('organizationId'))
    .orderBy('sequence')
    .limit(parameter('limit'))
    .offset(parameter('offset'));
}
