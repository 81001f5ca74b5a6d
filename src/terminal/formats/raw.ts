import { printJson } from '../../text/exact-json.js';
import { sanitize, sanitizeJson } from '../text/sanitize.js';
import type { Format, Surface } from './format.js';

/** Prints a query's result like `jq -r '.[]'`: strings unquoted, other values as JSON; one array item per line. */
export function rawFormat({ isTerminal }: Surface): Format {
  const print = (value: unknown) => {
    if (typeof value === 'string') return `${isTerminal ? sanitize(value) : value}\n`;
    const json = printJson(value);
    return `${isTerminal ? sanitizeJson(json) : json}\n`;
  };
  return {
    list: async function* (rows) {
      for await (const row of rows) yield print(row);
    },
    value: (value) => (Array.isArray(value) ? value.map(print) : [print(value)]),
  };
}
