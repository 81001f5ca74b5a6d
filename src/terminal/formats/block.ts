import { type Column, cellText, cellValue } from '../columns.js';
import { sanitize } from '../sanitize.js';
import type { Format, Rows } from './format.js';

/**
 * A line a field, the header before it: for an answer that cannot be asked for again, so that nothing of it is cut at
 * any width. An empty line stands between two rows.
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
