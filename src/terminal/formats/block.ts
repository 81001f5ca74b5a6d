import { sanitize } from '../text/sanitize.js';
import { cellText, cellValue, type TableView } from './columns.js';
import type { Format, Rows } from './format.js';

/** One line per field, never cut. An empty line separates rows. */
export const blockFormat: Format = {
  list: (rows, columns) => blocks(rows, columns),
  value: (_value, rows, columns) => blocks(rows, columns),
};

async function* blocks<Row>(rows: Rows<Row>, columns: readonly TableView<Row>[]): AsyncGenerator<string> {
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
