import type { ChalkInstance } from 'chalk';
import { loadChalk } from '../color.js';
import { type Column, cellText, cellValue } from '../columns.js';
import { sanitize } from '../sanitize.js';
import { textWidth } from '../text-width.js';
import type { Format, Rows, Surface } from './format.js';
import { type Cell, fitLayout, type Layout, layLine } from './table-layout.js';

// cli-table3 takes 13 ms for 12 rows and grows with the square of their number; the layout of a long or endless list
// is fixed by as many rows.
const shortList = 100;

/**
 * A table without borders: upper-case header, two spaces between columns, `-` where a row has no value, so that every
 * line has as many fields. Cut to the terminal's width on a terminal, never in a pipe. No rows: nothing at all.
 */
export function tableFormat(surface: Surface): Format {
  return {
    list: (rows, columns) => table(rows, columns, surface),
    value: (_value, rows, columns) => table(rows, columns, surface),
  };
}

async function* table<Row>(
  rows: Rows<Row>,
  columns: readonly Column<Row>[],
  surface: Surface,
): AsyncGenerator<string> {
  const chalk = surface.color ? await loadChalk() : undefined;
  const first: Cell[][] = [columns.map((column) => headerCell(column, chalk))];
  const { layoutRows = shortList } = surface;
  let layout: Layout | undefined;
  for await (const row of rows) {
    const cells = columns.map((column) => cellOf(row, column, chalk));
    if (layout !== undefined) {
      yield layLine(cells, layout);
    } else if (first.push(cells) > layoutRows) {
      layout = fitLayout(first, surface.columns);
      for (const line of first.splice(0)) yield layLine(line, layout);
    }
  }
  if (layout === undefined && first.length > 1) yield await shortTable(first, surface);
}

async function shortTable(lines: readonly (readonly Cell[])[], surface: Surface): Promise<string> {
  const layout = fitLayout(lines, surface.columns);
  const { canDraw, drawTable } = await import('./short-table.js');
  return canDraw(lines) ? drawTable(lines, layout) : lines.map((line) => layLine(line, layout)).join('');
}

function headerCell<Row>(column: Column<Row>, chalk: ChalkInstance | undefined): Cell {
  const paint = chalk === undefined ? plain : (text: string) => chalk.bold(text);
  return cell(sanitize(column.header.toUpperCase()), column, paint);
}

function cellOf<Row>(row: Row, column: Column<Row>, chalk: ChalkInstance | undefined): Cell {
  const value = cellValue(row, column) ?? '-';
  const { style } = column;
  const paint =
    chalk === undefined || style === undefined ? plain : (text: string) => style(text, row, chalk);
  return cell(sanitize(cellText(value)), column, paint);
}

function cell<Row>(text: string, { align }: Column<Row>, paint: Cell['paint']): Cell {
  return { text, width: textWidth(text), align: align ?? 'left', paint };
}

function plain(text: string): string {
  return text;
}
