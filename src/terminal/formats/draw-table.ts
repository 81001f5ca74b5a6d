import { isNarrowText } from '../text/text-width.js';
import { type Cell, gap, type Layout, shownCells } from './table-layout.js';

/** Lines whose cells fit the layout's widths: wrapped, redrawn or cut. */
export function drawTable(lines: readonly (readonly Cell[])[], layout: Layout): string {
  return lines.map((cells) => drawRow(shownCells(cells, layout), layout)).join('');
}

function drawRow(cells: readonly Cell[], { widths }: Layout): string {
  const columns = cells.map((cell, at) => drawCell(cell, widths[at] ?? 0));
  const height = Math.max(...columns.map(({ length }) => length));
  const line = (row: number) => columns.map((column, at) => column[row] ?? ' '.repeat(widths[at] ?? 0));
  return Array.from({ length: height }, (_, row) => `${trimLine(line(row).join(gap))}\n`).join('');
}

function drawCell({ content, align, wraps, paint }: Cell, room: number): string[] {
  const isWrapped = wraps && content.width > room && isNarrowText(content.text);
  const parts = isWrapped ? wrapText(content.text, room) : [content.cut(room)];
  return parts.map(({ text, width }) => pad(paint(text), width, room, align));
}

/** At spaces; splits a longer word. @param text a column for each character */
function wrapText(text: string, columns: number) {
  const room = Math.max(1, columns);
  const lines = text.match(new RegExp(`[^ ].{0,${room - 1}}(?![^ ])|[^ ]{${room}}`, 'g')) ?? [];
  return lines.map((line) => ({ text: line, width: line.length }));
}

/** A wider cell pushes the rest of its line to the right while there is room, then is cut. */
export function drawLine(cells: readonly Cell[], layout: Layout): string {
  const { widths } = layout;
  let room = layout.spare;
  const parts = shownCells(cells, layout).map(({ content, align, whole, paint }, at) => {
    const width = widths[at] ?? 0;
    const shown = whole === undefined ? content.cut(width + room) : content;
    room = Math.max(0, room - Math.max(0, shown.width - width));
    return pad(paint(shown.text), shown.width, width, align);
  });
  return `${trimLine(parts.join(gap))}\n`;
}

function pad(painted: string, width: number, columns: number, align: Cell['align']): string {
  const spaces = ' '.repeat(Math.max(0, columns - width));
  return align === 'right' ? spaces + painted : painted + spaces;
}

/** Removes the padding of the last column; other trailing white space is data. */
function trimLine(line: string): string {
  let end = line.length;
  // A pattern would try every run of spaces.
  while (line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}
