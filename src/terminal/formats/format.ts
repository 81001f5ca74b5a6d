import type { ChalkInstance } from 'chalk';
import { printJson } from '../../text/exact-json.js';
import { loadChalk } from '../text/color.js';
import { sanitize, sanitizeJson, sanitizeLines } from '../text/sanitize.js';
import { cellText, cellValue, type LinePart, nameField, type View } from './columns.js';

export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

export interface Surface {
  readonly isTerminal: boolean;
  /** The width that tables must fit into; if `undefined`, nothing is cut. */
  readonly columns: number | undefined;
  readonly color: boolean;
  readonly headers: boolean;
  /** How many rows decide a table's widths. */
  readonly layoutRows?: number | undefined;
  /** Gets the headers of columns that do not fit. */
  readonly leftOut: string[];
}

/** Prints rows as they arrive, so that long lists need no more memory. */
export type Format = <Row>(rows: Rows<Row>, view: View<Row>, surface: Surface) => AsyncIterable<string>;

/** The formats that need no library; `table` and `yaml` have files of their own. */
export const formats = {
  /** Indented JSON: one document. */
  async *json(rows, _view, { isTerminal }) {
    let before = '[';
    for await (const row of rows) {
      // Strips the brackets of a one-item list to get the item's indentation.
      yield `${before}${jsonText([row], isTerminal, 2).slice(1, -2)}`;
      before = ',';
    }
    yield before === '[' ? '[]\n' : '\n]\n';
  },

  /** One JSON value per line (jsonlines.org). */
  async *jsonl(rows, _view, { isTerminal }) {
    for await (const row of rows) yield `${jsonText(row, isTerminal)}\n`;
  },

  /** Like `jq -r`: one value per line, strings without quotes. */
  async *raw(rows, _view, { isTerminal }) {
    for await (const row of rows) {
      if (typeof row === 'string') yield `${isTerminal ? sanitize(row) : row}\n`;
      else yield `${jsonText(row, isTerminal)}\n`;
    }
  },

  /** RFC 4180, but with LF for line-oriented tools. Does not change text that a spreadsheet would read as a formula. */
  async *csv(rows, { columns }, { isTerminal, headers }) {
    const print = (fields: readonly string[]) => {
      // Readers skip empty lines.
      const line = `${fields.map(quoteField).join(',') || '""'}\n`;
      return isTerminal ? sanitizeLines(line) : line;
    };
    if (headers) yield print(columns.map(nameField));
    for await (const row of rows)
      yield print(columns.map((column) => cellText(column.data ? column.data(row) : cellValue(row, column))));
  },

  /** One line per field, never cut. An empty line separates rows. */
  async *block(rows, { columns }) {
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
  },

  lines: (rows, { line }, { color }) => printLines(rows, line ?? (() => []), color),
} satisfies Readonly<Record<string, Format>>;

/** A value as JSON; on a terminal, with hidden characters escaped. */
export function jsonText(value: unknown, isTerminal: boolean, indent?: number): string {
  const json = printJson(value, indent);
  return isTerminal ? sanitizeJson(json) : json;
}

function quoteField(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

export async function* printLines<Row>(
  rows: Rows<Row>,
  lineOf: (row: Row) => readonly LinePart[],
  color: boolean,
): AsyncGenerator<string> {
  const chalk = color ? await loadChalk() : undefined;
  for await (const row of rows) yield `${paintParts(lineOf(row), chalk)}\n`;
}

/** Sanitized text of the parts, with styles if `chalk` is given. */
export function paintParts(parts: readonly LinePart[], chalk: ChalkInstance | undefined): string {
  return parts
    .map(({ text, before = ' ', style }, at) => {
      const clean = sanitize(text);
      return `${at === 0 ? '' : before}${chalk && style ? style(clean, chalk) : clean}`;
    })
    .join('');
}
