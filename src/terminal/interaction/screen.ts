import { stripVTControlCharacters } from 'node:util';
import type { Output } from '../output/streams.js';
import { measureTexts } from '../text/text-width.js';

export interface Screen {
  /** Draws as many lines as fit above the footer. */
  draw(lines: readonly string[], footer: readonly string[]): Promise<void>;
  reopen(): Promise<void>;
  /** Restores the terminal. Call it also after an error. */
  close(): Promise<void>;
}

// The alternate screen without line wrapping: on the normal screen, a resize would re-wrap the drawing.
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';

// Mode 2026 prevents flicker. Each row is erased before it is drawn: after a full row, the cursor is still on the last
// character, and erasing would remove it.
const beginFrame = '\u001b[?2026h\u001b[H';
const eraseRow = '\u001b[K';
const eraseBelow = '\r\n\u001b[J';
const end = '\u001b[?2026l';

/** Takes over the terminal. Lines must contain no control sequences except for colors. */
export async function openScreen(output: Output): Promise<Screen> {
  await output.write(enter);
  return {
    async draw(lines, footer) {
      const rows = output.rows ?? 24;
      const shown = [...fitLines(lines, rows - footer.length), ...footer].slice(-rows);
      const drawn = (await cut(shown, output.columns)).map((line) => `${eraseRow}${line}`).join('\r\n');
      await output.write(`${beginFrame}${drawn}${shown.length < rows ? eraseBelow : ''}${end}`);
    },
    reopen: () => output.write(enter),
    close: () => output.write(leave),
  };
}

function fitLines(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines;
  const kept = Math.max(0, room - 1);
  return room < 1 ? [] : [...lines.slice(0, kept), `… ${lines.length - kept} more lines`];
}

async function cut(lines: readonly string[], columns = 80): Promise<string[]> {
  const measured = await measureTexts(lines.map((line) => ({ line, text: stripVTControlCharacters(line) })));
  return measured.map(({ line, content }) => (content.width <= columns ? line : content.cut(columns).text));
}
