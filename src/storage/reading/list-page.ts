import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';
import { compiledOnce } from '../database/compiled-once.js';
import type { StorageContext } from '../database/context.js';
import { resourceTables, type Tables } from '../database/tables.js';

/** Which part of a list is wanted: `page` counts from 1. */
export interface RowPageRequest extends RowSearch {
  readonly page: number;
  readonly limit: number;
  /** Reads on behind the row with this sequence, whatever `page` says. */
  readonly after?: number | undefined;
}

/** Which of them are meant at all. */
export interface RowSearch {
  /** A part of the name; whether its ASCII letters are capitals does not count. */
  readonly search?: string | undefined;
}

/** The condition that a search is. Not `like`, in which some characters stand for others. */
export function isNamedLike(search: string | RawBuilder<string>): RawBuilder<SqlBool> {
  return sql<SqlBool>`replace(lower(name), lower(${search}), '') <> lower(name)`;
}

/** Parameters of a query of one page. */
interface PagePart {
  readonly organizationId: string;
  /** How many rows come before the page. */
  readonly offset: number;
  readonly limit: number;
}

type ListTables = Readonly<Record<string, Record<string, unknown>>>;
type PageQuery<Row> = SelectQueryBuilder<ListTables, string, Row>;

/** Reads the lists of one table, oldest first. `select` says what is read of a row. */
export function listReader<Row>(
  { database }: Pick<StorageContext, 'database'>,
  table: ResourceTable,
  select: (query: PageQuery<object>) => PageQuery<Row>,
): (organizationId: string, page: RowPageRequest) => Promise<Row[]> {
  const readPart = compiledOnce<PagePart, Row>((on, parameter) => select(selectPart(on, table, parameter)));
  const readFound = compiledOnce<PagePart & { readonly search: string }, Row>((on, parameter) =>
    select(selectPart(on, table, parameter)).where(isNamedLike(parameter('search'))),
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
