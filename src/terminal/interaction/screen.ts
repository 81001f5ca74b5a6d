import { stripVTControlCharacters } from 'node:util';
import type { Output } from '../output/streams.js';
import { measureTexts } from '../text/text-width.js';

/** The whole terminal, for what is drawn over and over; what was on it before is back afterwards. */
export interface Screen {
  /** Redraws the screen: as many lines as fit, and always the footer. */
  draw(lines: readonly string[], footer: readonly string[]): Promise<void>;
  /** Takes over the terminal again after `close`. */
  reopen(): Promise<void>;
  /** Gives the terminal back as it was. Call it however the work ends. */
  close(): Promise<void>;
}

// The alternate screen, as editors have it: a terminal that is made narrower breaks the lines on its ordinary one anew,
// and nobody could tell any more how far up the drawing began. For the same reason no line is to be broken at all.
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';

// One write replaces line after line and then what is below, and terminals that know synchronized updates (mode 2026)
// show it as one: nothing flickers. A line is erased before it is written, for after a full one the cursor is still on
// its last character.
const begin = '\u001b[?2026h\u001b[H';
const eraseLine = '\u001b[K';
const eraseBelow = '\r\n\u001b[J';
const end = '\u001b[?2026l';

/** Takes over the terminal that an output is. What is drawn must be clean of control characters other than colours. */
export async function openScreen(output: Output): Promise<Screen> {
  await output.write(enter);
  return {
    async draw(lines, footer) {
      const rows = output.rows ?? 24;
      const shown = [...fitting(lines, rows - footer.length), ...footer].slice(-rows);
      const drawn = (await cut(shown, output.columns)).map((line) => `${eraseLine}${line}`).join('\r\n');
      await output.write(`${begin}${drawn}${shown.length < rows ? eraseBelow : ''}${end}`);
    },
    reopen: () => output.write(enter),
    close: () => output.write(leave),
  };
}

function fitting(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines;
  const kept = Math.max(0, room - 1);
  return room < 1 ? [] : [...lines.slice(0, kept), `… ${lines.length - kept} more lines`];
}

// A line that is too long loses its colours with its end.
async function cut(lines: readonly string[], columns = 80): Promise<string[]> {
  const measured = await measureTexts(lines.map((line) => ({ line, text: stripVTControlCharacters(line) })));
  return measured.map(({ line, content }) => (content.width <= columns ? line : content.cut(columns).text));
}
