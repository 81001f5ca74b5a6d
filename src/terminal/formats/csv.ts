import { sanitizeLines } from '../text/sanitize.js';
import { cellText, cellValue, nameField, type TableView } from './columns.js';
import type { Format, Rows, Surface } from './format.js';

/** RFC 4180, but with LF for line-oriented tools. Does not change text that a spreadsheet would read as a formula. */
export function csvFormat(surface: Surface): Format {
  const print = (fields: readonly string[]) => {
    const line = csvLine(fields);
    return surface.isTerminal ? sanitizeLines(line) : line;
  };
  return {
    list: (rows, columns) => file(rows, columns, print, surface.headers),
    value: (_value, rows, columns) => file(rows, columns, print, surface.headers),
  };
}

async function* file<Row>(
  rows: Rows<Row>,
  columns: readonly TableView<Row>[],
  print: (fields: readonly string[]) => string,
  headers = true,
): AsyncGenerator<string> {
  if (headers) yield print(columns.map(nameField));
  for await (const row of rows) yield print(columns.map((column) => cellText(readCell(row, column))));
}

function readCell<Row>(row: Row, column: TableView<Row>): unknown {
  return column.data === undefined ? cellValue(row, column) : column.data(row);
}

function csvLine(fields: readonly string[]): string {
  const line = fields.map(quoteField).join(',');
  // Readers skip empty lines; a single empty field must not become one.
  return line === '' ? '""\n' : `${line}\n`;
}

function quoteField(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
