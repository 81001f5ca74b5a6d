import type { ChalkInstance } from 'chalk';
import { loadChalk } from '../text/color.js';
import { sanitize } from '../text/sanitize.js';
import type { LinePart } from './columns.js';
import type { Rows } from './format.js';

export type LineOf<Row> = (row: Row) => readonly LinePart[];

/** Rows as prose, never cut, because the end of a line matters. */
export async function* printLines<Row>(
  rows: Rows<Row>,
  lineOf: LineOf<Row>,
  color: boolean,
): AsyncGenerator<string> {
  const chalk = color ? await loadChalk() : undefined;
  for await (const row of rows) yield `${lineOf(row).map(makePainter(chalk)).join(' ')}\n`;
}

function makePainter(chalk: ChalkInstance | undefined): (part: LinePart) => string {
  return ({ text, style }) => {
    const clean = sanitize(text);
    return chalk === undefined || style === undefined ? clean : style(clean, chalk);
  };
}
