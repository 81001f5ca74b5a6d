import type { ChalkInstance } from 'chalk';
import { loadChalk } from '../text/color.js';
import { sanitize } from '../text/sanitize.js';
import { cellText, cellValue, type LinePart } from './columns.js';
import type { Format, Rows } from './format.js';

/** Prints rows as prose. Lines are never cut, because their ends matter, too. */
export async function* printLines<Row>(
  rows: Rows<Row>,
  lineOf: (row: Row) => readonly LinePart[],
  color: boolean,
): AsyncGenerator<string> {
  const chalk = color ? await loadChalk() : undefined;
  for await (const row of rows) yield `${paintParts(lineOf(row), chalk)}\n`;
}

export const lineFormat: Format = (rows, { line }, { color }) => printLines(rows, line ?? (() => []), color);

/** Sanitized text of the parts, with styles if `chalk` is given. */
export function paintParts(parts: readonly LinePart[], chalk: ChalkInstance | undefined): string {
  return parts
    .map(({ text, before = ' ', style }, at) => {
      const clean = sanitize(text);
      return `${at === 0 ? '' : before}${chalk && style ? style(clean, chalk) : clean}`;
    })
    .join('');
}

/** One line per field, never cut. An empty line separates rows. */
export const blockFormat: Format = async function* blockFormat(rows, { columns }) {
  const width = Math.max(...columns.map(({ header }) => header.length));
  let separator = '';
  for await (const row of rows) {
    const lines = columns.map((column) => {
      const header = sanitize(column.header.toUpperCase()).padEnd(width);
      return `${header}  ${sanitize(cellText(cellValue(row, column) ?? '-'))}\n`;
    });
    yield `${separator}${lines.join('')}`;
    separator = '\n';
  }
};
