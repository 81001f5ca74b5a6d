import type { OutputFormat } from '../../api/option-values.js';
import { ExactNumber } from '../../text/exact-number.js';
import { cellValue, selectColumns, type TableView, type View } from '../formats/columns.js';
import type { CompiledExpression } from '../query/query.js';

/** How much of a value is printed. `lacking`: `--query` or `--columns` names a field that the value lacks. */
export type Coverage = 'whole' | 'part' | 'lacking';

interface Choice {
  readonly format: OutputFormat;
  readonly query?: CompiledExpression | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** Without a value: `part` if `--query` or `--columns` selects parts. */
export function describeCoverage<Row>(
  value: Row | undefined,
  view: View<Row> | undefined,
  { format, query, columns }: Choice,
): Coverage {
  const selects = columns !== undefined && (format === 'table' || format === 'csv');
  if (query === undefined && !selects) return 'whole';
  if (value === undefined) return 'part';
  if (query !== undefined) return asksForMore(query, value) ? 'lacking' : 'part';
  if (view !== undefined) return coveredBy([value], selectColumns(view.columns, columns));
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  return coveredBy(members, selectColumns<unknown>([], columns));
}

function coveredBy<Row>(rows: readonly Row[], columns: readonly TableView<Row>[]): Coverage {
  const lacks = (row: Row) => columns.some((column) => cellValue(row, column) === undefined);
  return rows.some(lacks) ? 'lacking' : 'part';
}

/** Whether a query's result is missing or null because the value lacks a field. A null in the value is a result. */
function asksForMore(query: CompiledExpression, value: unknown): boolean {
  const result = query(value);
  if (!listLeaves(result).some(isNothing)) return false;
  const read = [...query.fields].map((name) => (isRecord(value) ? value[name] : undefined));
  if (read.includes(undefined)) return true;
  return listLeaves(result).every(isNothing) && !read.some(isNothing);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The scalars in a JSON value; `undefined` for an empty list or object. */
function listLeaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [value];
  const inner = Object.values(value).flatMap(listLeaves);
  return inner.length === 0 ? [undefined] : inner;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
