import { ExactNumber } from '../../text/exact-number.js';
import { cellValue, selectColumns, type View } from '../formats/columns.js';
import type { CompiledExpression } from '../query/query.js';

/** How much of a value is printed. `lacking`: `--query` or `--columns` names a field that the value lacks. */
export type Coverage = 'whole' | 'part' | 'lacking';

/** Without a value: `part` if `--query` or `--columns` selects parts. */
export function describeCoverage<Row>(
  value: Row | undefined,
  view: View<Row> | undefined,
  query: CompiledExpression | undefined,
  columns: readonly string[] | undefined,
): Coverage {
  if (query === undefined && columns === undefined) return 'whole';
  if (value === undefined) return 'part';
  if (query !== undefined) return lacksField(value, query) ? 'lacking' : 'part';
  const rows: readonly Row[] = Array.isArray(value) ? value : [value];
  const named = selectColumns(view?.columns ?? [], columns);
  const lacks = (row: Row) => named.some((column) => cellValue(row, column) === undefined);
  return rows.some(lacks) ? 'lacking' : 'part';
}

/** Whether a query's result is empty, or has a gap because the value lacks a field. A null in the value is no gap. */
function lacksField(value: unknown, query: CompiledExpression): boolean {
  const leaves = listLeaves(query(value));
  const gaps = leaves.filter((leaf) => leaf === undefined || leaf === null || leaf === '').length;
  const lacks = (name: string) => !Object.hasOwn(Object(value), name);
  return gaps > 0 && (gaps === leaves.length || [...query.fields].some(lacks));
}

/** The scalars in a JSON value; `undefined` for an empty list or object. */
function listLeaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [value];
  return Object.values(value).length === 0 ? [undefined] : Object.values(value).flatMap(listLeaves);
}
