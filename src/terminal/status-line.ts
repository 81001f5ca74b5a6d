import type { OutputStream } from './system.js';

const eraseLine = '\r\u001b[K';

/** One line at the cursor of the terminal that stderr is, drawn over and over; it leaves nothing behind. */
export class StatusLine {
  readonly #stderr: () => OutputStream;
  #shown = false;

  constructor(stderr: () => OutputStream) {
    this.#stderr = stderr;
  }

  /** Draws the line in the place of the one before. It must fit the terminal's width, and be clean of control characters. */
  show(line: string): void {
    this.#shown = true;
    this.#stderr().write(`${eraseLine}${line}`);
  }

  /** Erases the line, if one is shown. */
  hide(): void {
    if (!this.#shown) return;
    this.#shown = false;
    this.#stderr().write(eraseLine);
  }
}
