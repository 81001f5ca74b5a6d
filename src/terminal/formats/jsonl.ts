import { printJson } from '../../contract/exact-json.js';
import { sanitizeJson } from '../sanitize.js';
import type { Format, Rows, Surface } from './format.js';

/** One JSON value a line (jsonlines.org). */
export function jsonlFormat(surface: Surface): Format {
  const print = (value: unknown) => {
    const json = printJson(value);
    return `${surface.isTerminal ? sanitizeJson(json) : json}\n`;
  };
  return {
    list: (rows) => lines(rows, print),
    value: (value) => (Array.isArray(value) ? value.map(print) : [print(value)]),
  };
}

async function* lines<Row>(rows: Rows<Row>, print: (row: Row) => string): AsyncGenerator<string> {
  for await (const row of rows) yield print(row);
}
