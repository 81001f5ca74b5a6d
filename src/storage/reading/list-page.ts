import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { ResourceTable } from '../../api/resources/index.js';
import { compiledOnce } from '../database/compiled-once.js';
import type { StorageContext } from '../database/context.js';
import type { Reading } from '../database/list-places.js';
import { type Tables, tablesOf } from '../database/tables.js';

/** Which part of a list is wanted: `page` counts from 1. */
export interface PageRequest extends Search {
  readonly page: number;
  readonly limit: number;
  /** Reads on behind the row with this sequence, whatever `page` says. */
  readonly after?: number | undefined;
}

/** Which of them are meant at all. */
export interface Search {
  /** A part of the name; whether its ASCII letters are capitals does not count. */
  readonly search?: string | undefined;
}

/** The condition that a search is. Not `like`, in which some characters stand for others. */
export function isNamedLike(search: string | RawBuilder<string>): RawBuilder<SqlBool> {
  return sql<SqlBool>`replace(lower(name), lower(${search}), '') <> lower(name)`;
}

/** What a query of one page is told. */
interface Part {
  readonly organizationId: string;
  /** The sequence to begin with. */
  readonly from: number;
  /** Rows from there on that are not wanted. */
  readonly passedOver: number;
  readonly limit: number;
}

type AnyTables = Readonly<Record<string, Record<string, unknown>>>;
type PageQuery<Row> = SelectQueryBuilder<AnyTables, string, Row>;

/** Reads the lists of one table, oldest first. `select` says what is read of a row. */
export function listReader<Row>(
  { database, places }: Pick<StorageContext, 'database' | 'places'>,
  table: ResourceTable,
  select: (query: PageQuery<object>) => PageQuery<Row>,
): (organizationId: string, page: PageRequest) => Promise<Row[]> {
  const readPart = compiledOnce<Part, Row>((on, parameter) => select(partOf(on, table, parameter)));
  const readFound = compiledOnce<Part & { readonly search: string }, Row>((on, parameter) =>
    select(partOf(on, table, parameter)).where(isNamedLike(parameter('search'))),
  );
  const readSequence = compiledOnce<Part, { readonly sequence: number }>((on, parameter) =>
    partOf(on, table, parameter).select('sequence').$castTo<{ sequence: number }>(),
  );
  return async (organizationId, { page, limit, search = '', after }) => {
    const offset = (page - 1) * limit;
    if (after !== undefined) {
      return (await readPart(database, { organizationId, from: after + 1, passedOver: 0, limit })).rows;
    }
    if (search !== '') {
      const found = { organizationId, from: 0, passedOver: offset, limit, search };
      return (await readFound(database, found)).rows;
    }
    const reading: Reading<Row> = {
      async rows(from, passedOver) {
        return (await readPart(database, { organizationId, from, passedOver, limit })).rows;
      },
      async sequence(from, passedOver) {
        const { rows } = await readSequence(database, { organizationId, from, passedOver, limit: 1 });
        return rows[0]?.sequence;
      },
    };
    return places?.page(listName(table, organizationId), offset, reading) ?? reading.rows(0, offset);
  };
}

function partOf(
  database: Kysely<Tables>,
  table: ResourceTable,
  parameter: <Name extends keyof Part>(name: Name) => RawBuilder<Part[Name]>,
): PageQuery<object> {
  return tablesOf(database)
    .selectFrom(table)
    .where('organization_id', '=', parameter('organizationId'))
    .where('sequence', '>=', parameter('from'))
    .orderBy('sequence')
    .limit(parameter('limit'))
    .offset(parameter('passedOver'));
}

/** How `ListPlaces` knows a list. */
export function listName(table: ResourceTable, organizationId: string): string {
  return `${table} ${organizationId}`;
}
