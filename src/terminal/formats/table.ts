import type { ChalkInstance } from 'chalk';
import { ExactNumber } from '../../text/exact-number.js';
import { loadChalk } from '../text/color.js';
import { sanitize } from '../text/sanitize.js';
import { cellText, cellValue, type TableView } from './columns.js';
import { fitWidths, gap } from './fit-widths.js';
import type { Format, Surface } from './format.js';

/** Rows that determine the widths. cli-table3 draws them; for long lists, it would take quadratic time. */
const firstRows = 1000;

/** Width below which a column of text is left out, in terminal columns. */
const leastText = 16;

interface Cell {
  readonly text: string;
  readonly align: 'left' | 'right';
  readonly isWhole: boolean;
  readonly within?: ((columns: number) => string) | undefined;
  readonly paint: (text: string) => string;
}

type Line = readonly Cell[];

/** The widths of the shown columns, by their indexes. */
type Widths = ReadonlyMap<number, number>;

/** Rows after `firstRows` appear as they arrive. A missing value is `-`, so that all lines have the same number of fields. */
export const tableFormat: Format = async function* tableFormat(rows, { columns }, surface) {
  const chalk = surface.color ? await loadChalk() : undefined;
  const header = columns.map(
    ({ header: text, align }): Cell => ({
      text: sanitize(text.toUpperCase()),
      align: align ?? 'left',
      isWhole: false,
      paint: chalk?.bold ?? String,
    }),
  );
  const first: Line[] = [];
  let widths: Widths | undefined;
  const drawTable = async () => {
    widths = await layOut([header, ...first], columns, surface);
    return drawFirst(surface.headers ? [header, ...first] : first, widths);
  };
  for await (const row of rows) {
    const line = columns.map((column) => makeCell(row, column, chalk));
    await loadWidths(line.map(({ text }) => text));
    if (widths !== undefined) yield drawLine(line, widths, surface.columns === undefined);
    else if (first.push(line) >= (surface.layoutRows ?? firstRows)) yield await drawTable();
  }
  if (widths === undefined && first.length > 0) yield await drawTable();
};

function makeCell<Row>(row: Row, column: TableView<Row>, chalk: ChalkInstance | undefined): Cell {
  const { align = 'left', wraps, style, within: bar } = column;
  const known = cellValue(row, column);
  const value = known ?? '-';
  const isNumber = align === 'right' || typeof value === 'number' || value instanceof ExactNumber;
  return {
    text: sanitize((column.drawn ?? cellText)(value)),
    align,
    isWhole: !wraps && (isNumber || isId(column)),
    within: bar && known !== undefined ? (columns) => sanitize(bar(row, columns)) : undefined,
    paint: chalk === undefined || style === undefined ? String : (text) => style(text, row, chalk),
  };
}

function isId<Row>({ id, value }: TableView<Row>): boolean {
  return id ?? (typeof value === 'string' && /(?:^|[._])id$|Id$|(?:^|[._])secret$/.test(value));
}

/** @param lines the header and the first rows */
async function layOut<Row>(
  lines: readonly Line[],
  columns: readonly TableView<Row>[],
  { columns: limit, leftOut }: Surface,
): Promise<Widths> {
  const header = lines[0] ?? [];
  await loadWidths(header.map(({ text }) => text));
  const measured = columns.map((column, at) => {
    const cells = lines.flatMap((line) => line[at] ?? []);
    const width = Math.max(...cells.map(({ text }) => textWidth(text)));
    const bars = cells.flatMap(({ within }) => (within === undefined ? [] : textWidth(within(0))));
    const kind = bars.length > 0 ? 'bar' : cells.some(({ isWhole }) => isWhole) ? 'whole' : 'text';
    const text = Math.min(width, leastText);
    const bar = Math.max(...bars, textWidth(header[at]?.text ?? ''));
    // Without declared ranks, columns are left out from the right, texts before numbers. The first one and IDs stay.
    const rank = column.rank ?? (at === 0 || isId(column) ? 0 : (kind === 'text' ? 1000 : 1) + at);
    return { width, least: { text, bar, whole: width }[kind], rank, kind } as const;
  });
  if (limit === undefined) return new Map(measured.map(({ width }, at) => [at, width]));
  const widths = fitWidths(measured, limit);
  leftOut.push(...header.flatMap(({ text }, at) => (widths.has(at) ? [] : [text])));
  const whole = (at: number) => (columns[at]?.wraps ? measured[at]?.width : undefined);
  return new Map([...widths].map(([at, width]) => [at, whole(at) ?? width]));
}

// cli-table3 miscounts emoji, so it gets a placeholder of the measured width for text that is not narrow.
const column = '\uE000';
const noColumn = '\u0300';
const standIns = new RegExp(`${column}+|${noColumn}`, 'g');

async function drawFirst(lines: readonly Line[], widths: Widths): Promise<string> {
  const { default: CliTable3 } = await import('cli-table3');
  const table = new CliTable3({
    chars: noBorders,
    colWidths: [...widths.values()],
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  const replaced: string[] = [];
  const draw = ([cell, width]: readonly [Cell, number]) => {
    const { align: hAlign, paint } = cell;
    const text = fitText(cell, width);
    if (isNarrowText(text)) return { content: paint(text), hAlign };
    replaced.push(paint(text));
    return { content: column.repeat(textWidth(text)) || noColumn, hAlign };
  };
  for (const line of lines) table.push(shownCells(line, widths).map(draw));
  const texts = replaced.values();
  const drawn = table.toString().replace(standIns, () => texts.next().value ?? '');
  return `${drawn
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

const sides = ['top', 'bottom', 'left', 'mid', 'right'].flatMap((side) => [side, `${side}-mid`]);
const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];
const noBorders = { ...Object.fromEntries([...sides, ...corners].map((side) => [side, ''])), middle: gap };

/** Draws as cli-table3 does, but text that is wider than its column shifts the line if it must not be cut. */
function drawLine(line: Line, widths: Widths, isUnbounded: boolean): string {
  const parts = shownCells(line, widths).map(([cell, width]) => {
    const text = cell.isWhole || isUnbounded ? cell.text : fitText(cell, width);
    const spaces = ' '.repeat(Math.max(0, width - textWidth(text)));
    return cell.align === 'right' ? spaces + cell.paint(text) : cell.paint(text) + spaces;
  });
  return `${parts.join(gap).trimEnd()}\n`;
}

/** The cells of the shown columns, with their widths. */
function shownCells(line: Line, widths: Widths): readonly (readonly [Cell, number])[] {
  return [...widths].flatMap(([at, width]) => line.slice(at, at + 1).map((cell) => [cell, width] as const));
}

function fitText({ text, within }: Cell, width: number): string {
  return within !== undefined && textWidth(text) > width ? within(width) : cutText(text, width);
}

/** Characters one column wide: printable ASCII, Latin letters, general punctuation and block elements for bars. */
const narrowText = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u024F\u2010-\u2027\u2500-\u259F]*$/;

function isNarrowText(text: string): boolean {
  return narrowText.test(text);
}

/** Measuring Unicode takes quadratic time; beyond this length, each character counts as one column. */
const measuredLength = 2000;

let unicodeWidth: ((text: string) => number) | undefined;

/** For `textWidth` and `cutText`: loads the widths of Unicode, if a text needs them. */
async function loadWidths(texts: readonly string[]): Promise<void> {
  if (unicodeWidth === undefined && !texts.every(isNarrowText))
    unicodeWidth = (await import('string-width')).default;
}

/** The columns of a clean, unstyled line on a terminal: two for wide characters, none for combining ones. */
function textWidth(text: string): number {
  if (unicodeWidth === undefined || isNarrowText(text)) return text.length;
  return unicodeWidth(text.slice(0, measuredLength)) + Math.max(0, text.length - measuredLength);
}

/** The text, or its start and an ellipsis, within a number of columns. Never splits a character. */
function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (columns < 1) return '';
  if (isNarrowText(text)) return `${text.slice(0, columns - 1)}…`;
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let kept = '';
  let room = columns - 1;
  for (const { segment } of characters.segment(text.slice(0, measuredLength))) {
    room -= textWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}
