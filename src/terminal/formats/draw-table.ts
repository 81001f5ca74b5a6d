import { isNarrowText, type MeasuredText } from '../text/text-width.js';
import { type Cell, gap, type Layout, shownCells } from './table-layout.js';

// In text that is not narrow, cli-table3 miscounts emoji and takes quadratic time. It gets a placeholder of the measured
// width instead, made of characters that do not occur in narrow text.
const column = '\uE000';
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
  const replaced: string[] = [];
  for (const line of lines) {
    table.push(
      shownCells(line, layout).map((cell, at) => {
        const room = widths[at] ?? 0;
        const { text, width } = cell.content.cut(room);
        if (cell.wraps && isNarrowText(cell.content.text)) return wrapped(cell, room);
        if (isNarrowText(text)) return { content: cell.paint(text), hAlign: cell.align };
        replaced.push(cell.paint(text));
        return { content: width === 0 ? noColumn : column.repeat(width), hAlign: cell.align };
      }),
    );
  }
  const texts = replaced.values();
  const drawn = table.toString().replace(standIns, () => texts.next().value ?? '');
  return `${drawn.split('\n').map(trimLine).join('\n')}\n`;
}

function wrapped({ content, align, paint }: Cell, room: number) {
  const parts = new RegExp(`[^ ]{${Math.max(1, room)}}(?=[^ ])`, 'g');
  return { content: paint(content.text.replace(parts, '$& ')), hAlign: align, wordWrap: true };
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

/** Text that is wider than its column is cut; without a maximum width, and for IDs and numbers, it shifts the line. */
export function drawLine(cells: readonly Cell[], layout: Layout): string {
  const parts = shownCells(cells, layout).map(({ content, align, whole, paint }, at) => {
    const width = layout.widths[at] ?? 0;
    const shown = whole !== undefined || layout.isUnbounded ? content : content.cut(width);
    return pad(paint(shown.text), shown, width, align);
  });
  return `${trimLine(parts.join(gap))}\n`;
}

function pad(painted: string, { width }: MeasuredText, columns: number, align: Cell['align']): string {
  const spaces = ' '.repeat(Math.max(0, columns - width));
  return align === 'right' ? spaces + painted : painted + spaces;
}

/** Removes the padding of the last column. */
function trimLine(line: string): string {
  let end = line.length;
  // A regular expression would be slower: it would try every run of spaces in the line.
  while (line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}
