/**
 * Turns of the event loop from one piece of work to the next. A request takes several from its first byte to its answer, and
 * what is written in one turn is committed two turns later: so no commit has two pieces of work in it.
 */
const pause = 3;

/**
 * Spaces work that keeps the processor busy for milliseconds, such as reading large settings: one piece at a time,
 * however many requests ask for it, so that all other requests are answered in between. Keys take turns,
 * too: one with a hundred such requests delays those of another by one piece of work each time.
 */
export class Turns {
  /** By who waits; the first one is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isRunning = false;

  /** Resolves when it is the turn of a piece of work. It ends with the next `await` that really waits. */
  take(whose: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(whose);
      if (waiting === undefined) this.#waiting.set(whose, [resolve]);
      else waiting.push(resolve);
      if (!this.#isRunning) this.#schedule();
    });
  }

  #schedule(): void {
    this.#isRunning = this.#waiting.size > 0;
    if (this.#isRunning) afterTurns(pause, () => this.#next());
  }

  #next(): void {
    for (const [whose, waiting] of this.#waiting) {
      // To the end of the line, unless nothing more of it waits.
      this.#waiting.delete(whose);
      const start = waiting.shift();
      if (waiting.length > 0) this.#waiting.set(whose, waiting);
      start?.();
      break;
    }
    this.#schedule();
  }
}

function afterTurns(turns: number, work: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, work) : work()));
}
