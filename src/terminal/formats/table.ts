import type { ChalkInstance } from 'chalk';
import { ExactNumber } from '../../text/exact-number.js';
import { loadChalk } from '../text/color.js';
import { sanitize } from '../text/sanitize.js';
import { measureTexts } from '../text/text-width.js';
import { cellText, cellValue, type TableView } from './columns.js';
import { drawLine, drawTable } from './draw-table.js';
import type { Format, Rows, Surface } from './format.js';
import { type Cell, fitLayout, type Layout } from './table-layout.js';

// cli-table3 takes quadratic time, so it draws only the first rows.
const shortList = 100;

/**
 * Missing values become `-`, so that all lines have the same number of fields. The first rows determine the widths, so
 * that later rows appear as they arrive. Cells are cut only on a terminal; IDs and numbers are never cut.
 */
export function tableFormat(surface: Surface): Format {
  return {
    list: (rows, columns) => table(rows, columns, surface),
    value: (_value, rows, columns) => table(rows, columns, surface),
  };
}

async function* table<Row>(
  rows: Rows<Row>,
  columns: readonly TableView<Row>[],
  surface: Surface,
): AsyncGenerator<string> {
  const chalk = surface.color ? await loadChalk() : undefined;
  const first = [await measureTexts(columns.map((column) => makeHeader(column, chalk)))];
  const { layoutRows = shortList, headers = true } = surface;
  // The layout considers the header even if it is not printed.
  const drawFirst = (drawn: Layout) => drawTable(headers ? first.splice(0) : first.splice(0).slice(1), drawn);
  let layout: Layout | undefined;
  for await (const row of rows) {
    const cells = await measureTexts(columns.map((column) => makeCell(row, column, chalk)));
    if (layout !== undefined) yield drawLine(cells, layout);
    else if (first.push(cells) > layoutRows) {
      layout = laidOut(first, surface);
      yield await drawFirst(layout);
    }
  }
  if (layout === undefined && first.length > 1) yield await drawFirst(laidOut(first, surface));
}

function laidOut(lines: readonly (readonly Cell[])[], { columns, leftOut }: Surface): Layout {
  const layout = fitLayout(lines, columns);
  const { shown } = layout;
  if (shown !== undefined) {
    leftOut?.((lines[0] ?? []).flatMap(({ content }, at) => (shown.includes(at) ? [] : [content.text])));
  }
  return layout;
}

type Unmeasured = Omit<Cell, 'content'> & {
  readonly text: string;
  readonly within?: ((columns: number) => string) | undefined;
};

function makeHeader<Row>(column: TableView<Row>, chalk: ChalkInstance | undefined): Unmeasured {
  const paint = chalk === undefined ? stripStyles : (text: string) => chalk.bold(text);
  const { align = 'left', rank, wraps } = column;
  return { text: sanitize(column.header.toUpperCase()), align, rank, wraps, paint };
}

function makeCell<Row>(row: Row, column: TableView<Row>, chalk: ChalkInstance | undefined): Unmeasured {
  const known = cellValue(row, column);
  const value = known ?? '-';
  const text = sanitize((column.drawn ?? cellText)(value));
  const draw = known === undefined ? undefined : column.within;
  const within = draw && ((columns: number) => sanitize(draw(row, columns)));
  const { style } = column;
  const paint =
    chalk === undefined || style === undefined ? stripStyles : (text: string) => style(text, row, chalk);
  const { align = 'left', wraps } = column;
  return { text, within, least: within?.(0).length, align, wraps, whole: showWhole(value, column), paint };
}

function showWhole<Row>(value: unknown, { align, id, wraps, value: path }: TableView<Row>): Cell['whole'] {
  if (id) return 'id';
  if (wraps) return undefined;
  if (typeof path === 'string' && /(?:^|[._])id$|Id$|(?:^|[._])secret$/.test(path)) return 'id';
  return align === 'right' || typeof value === 'number' || value instanceof ExactNumber
    ? 'number'
    : undefined;
}

function stripStyles(text: string): string {
  return text;
}
