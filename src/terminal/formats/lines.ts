import type { ChalkInstance } from 'chalk';
import { loadChalk } from '../text/color.js';
import { sanitize } from '../text/sanitize.js';
import type { LinePart } from './columns.js';
import type { Rows } from './format.js';

export type LineOf<Row> = (row: Row) => readonly LinePart[];

/** Prints rows as prose. Lines are never cut, because their ends matter, too. */
export async function* printLines<Row>(
  rows: Rows<Row>,
  lineOf: LineOf<Row>,
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
