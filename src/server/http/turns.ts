/** Turns of the event loop between pieces of work: writes commit after two turns, so no commit contains two pieces. */
const turnPause = 3;

/** Spaces out long work, and alternates between keys: a hundred requests of one key do not hold up another key's. */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  #isRunning = false;

  /** Resolves when the caller may work, until it next waits for I/O or a timer. */
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
    if (this.#isRunning) afterTurns(turnPause, () => this.#next());
  }

  #next(): void {
    for (const [whose, waiting] of this.#waiting) {
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
