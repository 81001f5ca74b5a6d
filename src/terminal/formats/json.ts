import { printJson } from '../../text/exact-json.js';
import { sanitizeJson } from '../text/sanitize.js';
import type { Format, Rows, Surface } from './format.js';

/** Indented JSON. A list is one document, written as its items arrive. */
export function jsonFormat(surface: Surface): Format {
  const print = (value: unknown) => {
    const json = printJson(value, 2);
    return surface.isTerminal ? sanitizeJson(json) : json;
  };
  return {
    list: (rows) => array(rows, print),
    value: (value) => [`${print(value)}\n`],
  };
}

async function* array<Row>(rows: Rows<Row>, print: (value: unknown) => string): AsyncGenerator<string> {
  let empty = true;
  for await (const row of rows) {
    // Strips the brackets of a one-item list to get the item's indentation.
    yield `${empty ? '[' : ','}${print([row]).slice(1, -2)}`;
    empty = false;
  }
  yield empty ? '[]\n' : '\n]\n';
}

/** One JSON value per line (jsonlines.org). */
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
