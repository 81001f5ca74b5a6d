import type { ChalkInstance } from 'chalk';
import { ExactNumber } from '../../contract/exact-number.js';
import { loadChalk } from '../color.js';
import { type Column, cellText, cellValue } from '../columns.js';
import { sanitize } from '../sanitize.js';
import { isMeasurable, learnWidths, textWidth } from '../text-width.js';
import type { Format, Rows, Surface } from './format.js';
import { type Cell, fitLayout, type Layout, layLine, shownCells, widen } from './table-layout.js';

// cli-table3 takes 13 ms for 12 rows and grows with the square of their number; the layout of a long or endless list
// is made by as many rows. After them a wider cell widens its column from its line on in a pipe; on a terminal, where
// it would take the room of other columns for good, it pushes the rest of its own line.
const shortList = 100;

/**
 * A table without borders: upper-case header, two spaces between columns, `-` where a row has no value, so that every
 * line has as many fields. Columns are as wide as the first hundred rows want them, so that rows appear as they arrive
 * and none is kept; see `shortList` for those after. Cut to the terminal's width on a terminal, never in a pipe, and
 * IDs and numbers nowhere. No rows: nothing at all.
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
  const headers = columns.map((column) => headerOf(column, chalk));
  if (!headers.every(isReady)) await learnWidths();
  const first = [headers.map(measured)];
  const { layoutRows = shortList } = surface;
  let layout: Layout | undefined;
  for await (const row of rows) {
    const contents = columns.map((column) => contentOf(row, column, chalk));
    // Where there is nothing to wait for, to await it takes longer than all else about a row.
    if (!contents.every(isReady)) await learnWidths();
    const cells = contents.map(measured);
    if (layout !== undefined) {
      layout = widen(layout, cells);
      yield layLine(shownCells(cells, layout), layout);
    } else if (first.push(cells) > layoutRows) {
      layout = laidOut(first, surface);
      for (const line of first.splice(0)) yield layLine(shownCells(line, layout), layout);
    }
  }
  if (layout === undefined && first.length > 1) yield await shortTable(first, surface);
}

async function shortTable(all: readonly (readonly Cell[])[], surface: Surface): Promise<string> {
  const layout = laidOut(all, surface);
  const lines = all.map((line) => shownCells(line, layout));
  const { canDraw, drawTable } = await import('./short-table.js');
  return canDraw(lines) ? drawTable(lines, layout) : lines.map((line) => layLine(line, layout)).join('');
}

/** The layout of the lines, the first of which is the header. */
function laidOut(lines: readonly (readonly Cell[])[], { columns, leftOut }: Surface): Layout {
  const layout = fitLayout(lines, columns);
  const { shown } = layout;
  if (shown !== undefined) {
    leftOut?.((lines[0] ?? []).flatMap(({ text }, at) => (shown.includes(at) ? [] : [text])));
  }
  return layout;
}

/** A cell that was not measured yet. */
type Content = Omit<Cell, 'width'>;

function headerOf<Row>(column: Column<Row>, chalk: ChalkInstance | undefined): Content {
  const paint = chalk === undefined ? plain : (text: string) => chalk.bold(text);
  return { text: sanitize(column.header.toUpperCase()), align: column.align ?? 'left', paint };
}

function contentOf<Row>(row: Row, column: Column<Row>, chalk: ChalkInstance | undefined): Content {
  const value = cellValue(row, column) ?? '-';
  const text = sanitize(cellText(value));
  const { style } = column;
  const paint =
    chalk === undefined || style === undefined ? plain : (text: string) => style(text, row, chalk);
  return { text, align: column.align ?? 'left', whole: wholeOf(value, column), paint };
}

/** A part of a number is another number, and a part of an ID or a secret is none: these are never cut. */
function wholeOf<Row>(value: unknown, { align, id, value: path }: Column<Row>): Cell['whole'] {
  if (id) return 'id';
  if (typeof path === 'string' && /(?:^|[._])id$|Id$|(?:^|[._])secret$/.test(path)) return 'id';
  return align === 'right' || typeof value === 'number' || value instanceof ExactNumber
    ? 'number'
    : undefined;
}

function isReady({ text }: Content): boolean {
  return isMeasurable(text);
}

function measured(content: Content): Cell {
  return { ...content, width: textWidth(content.text) };
}

function plain(text: string): string {
  return text;
}
