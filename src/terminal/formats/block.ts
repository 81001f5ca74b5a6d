import { sanitize } from '../text/sanitize.js';
import { type Column, cellText, cellValue } from './columns.js';
import type { Format, Rows } from './format.js';

/**
 * One line per field, after its header: for an answer that cannot be requested again, so nothing is cut at any width.
 * Rows are separated by an empty line.
 */
export const blockFormat: Format = {
  list: (rows, columns) => blocks(rows, columns),
  value: (_value, rows, columns) => blocks(rows, columns),
};

async function* blocks<Row>(rows: Rows<Row>, columns: readonly Column<Row>[]): AsyncGenerator<string> {
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
}
