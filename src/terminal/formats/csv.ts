import { sanitizeLines } from '../text/sanitize.js';
import { type Column, cellText, cellValue, fieldName } from './columns.js';
import type { Format, Rows, Surface } from './format.js';

/** RFC 4180 but with LF, which line tools need. Does not alter what a spreadsheet reads as a formula: data is data. */
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
  columns: readonly Column<Row>[],
  print: (fields: readonly string[]) => string,
  headers = true,
): AsyncGenerator<string> {
  if (headers) yield print(columns.map(fieldName));
  for await (const row of rows) yield print(columns.map((column) => cellText(dataOf(row, column))));
}

function dataOf<Row>(row: Row, column: Column<Row>): unknown {
  return column.data === undefined ? cellValue(row, column) : column.data(row);
}

function csvLine(fields: readonly string[]): string {
  const line = fields.map(quote).join(',');
  // Readers skip empty lines; a lone empty field must not become one.
  return line === '' ? '""\n' : `${line}\n`;
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
