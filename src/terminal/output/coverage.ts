import type { OutputFormat } from '../../api/option-values.js';
import { ExactNumber } from '../../text/exact-number.js';
import { type Column, cellValue, selectColumns, type View } from '../formats/columns.js';
import type { Query } from './query.js';

/** `lacking`: `--query` or `--columns` request something that the value does not have. */
export type Coverage = 'whole' | 'part' | 'lacking';

interface Choice {
  readonly format: OutputFormat;
  readonly query?: Query | undefined;
  readonly columns?: readonly string[] | undefined;
}

export function coverageOf<Row>(
  value: Row,
  view: View<Row> | undefined,
  { format, query, columns }: Choice,
): Coverage {
  if (query !== undefined) return asksForMore(query, value) ? 'lacking' : 'part';
  if (columns === undefined || !(format === 'table' || format === 'csv')) return 'whole';
  if (view !== undefined) return coveredBy([value], selectColumns(view.columns, columns));
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  return coveredBy(members, selectColumns<unknown>([], columns));
}

function coveredBy<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Coverage {
  const lacks = (row: Row) => columns.some((column) => cellValue(row, column) === undefined);
  return rows.some(lacks) ? 'lacking' : 'part';
}

/** Whether a query's result is missing, or null because it reads a missing field. The value's own null is a result. */
function asksForMore(query: Query, value: unknown): boolean {
  const result = query(value);
  if (!leavesOf(result).some(isNothing)) return false;
  const read = [...query.fields].map((name) => (isRecord(value) ? value[name] : undefined));
  if (read.includes(undefined)) return true;
  return leavesOf(result).every(isNothing) && !read.some(isNothing);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The scalars in a JSON value; undefined for an empty list or object. */
function leavesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [value];
  const inner = Object.values(value).flatMap(leavesOf);
  return inner.length === 0 ? [undefined] : inner;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
