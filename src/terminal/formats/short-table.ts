import CliTable3 from 'cli-table3';
import { truncate } from '../text-width.js';
import { type Cell, gap, type Layout, trimLine } from './table-layout.js';

// cli-table3 measures with an old string-width, which miscounts newer emoji and the combining marks of many scripts.
// Both agree on Latin, Greek, Cyrillic, general punctuation, blocks, kana, CJK ideographs and Hangul. It shortens a
// wide text one character at a time and measures anew each time, so that ten thousand ideographs would take minutes.
const measuredAlike =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u024F\u0370-\u0482\u048A-\u052F\u2010-\u2027\u2500-\u259F\u3041-\u3096\u30A1-\u30FF\u4E00-\u9FFF\uAC00-\uD7A3]{0,250}$/;

/** Whether cli-table3 knows the width of every cell. */
export function canDraw(lines: readonly (readonly Cell[])[]): boolean {
  return lines.every((line) => line.every((cell) => measuredAlike.test(cell.text)));
}

/** A short table through cli-table3, as `layLine` would lay it. */
export function drawTable(lines: readonly (readonly Cell[])[], { widths }: Layout): string {
  const table = new CliTable3({
    chars: noBorders,
    colWidths: [...widths],
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  for (const line of lines) {
    table.push(
      widths.map((width, at) => {
        const cell = line[at];
        return cell === undefined
          ? ''
          : { content: cell.paint(truncate(cell.text, width)), hAlign: cell.align };
      }),
    );
  }
  const drawn = table.toString().split('\n').map(trimLine);
  return `${drawn.join('\n')}\n`;
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
