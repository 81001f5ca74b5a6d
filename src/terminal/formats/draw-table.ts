import type { MeasuredText } from '../text/text-width.js';
import { type Cell, gap, type Layout, shownCells } from './table-layout.js';

// A stand-in of measured width: cli-table3 miscounts emoji and takes quadratic time for long texts.
const column = 'x';
const noColumn = '\u0300';
const standIns = new RegExp(`${column}+|${noColumn}`, 'g');

export async function drawTable(lines: readonly (readonly Cell[])[], layout: Layout): Promise<string> {
  const { widths } = layout;
  const { default: CliTable3 } = await import('cli-table3');
  const table = new CliTable3({
    chars: noBorders,
    colWidths: [...widths],
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  const painted: string[] = [];
  for (const line of lines) {
    table.push(
      shownCells(line, layout).map(({ content, align, paint }, at) => {
        const { text, width } = content.cut(widths[at] ?? 0);
        painted.push(paint(text));
        return { content: width === 0 ? noColumn : column.repeat(width), hAlign: align };
      }),
    );
  }
  const texts = painted.values();
  const drawn = table.toString().replace(standIns, () => texts.next().value ?? '');
  return `${drawn.split('\n').map(trimLine).join('\n')}\n`;
}

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: gap,
};

/** A wider cell pushes the rest of its line to the right while there is room, then is cut. */
export function drawLine(cells: readonly Cell[], layout: Layout): string {
  const { widths } = layout;
  let room = layout.spare;
  const parts = shownCells(cells, layout).map(({ content, align, whole, paint }, at) => {
    const width = widths[at] ?? 0;
    const shown = whole === undefined ? content.cut(width + room) : content;
    room = Math.max(0, room - Math.max(0, shown.width - width));
    return pad(paint(shown.text), shown, width, align);
  });
  return `${trimLine(parts.join(gap))}\n`;
}

function pad(painted: string, { width }: MeasuredText, columns: number, align: Cell['align']): string {
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
