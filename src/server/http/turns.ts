/** Turns of the event loop between two pieces; writes commit two turns later, so no commit has both. */
const turnPause = 3;

/** Spaces out long work, so that one key's hundred requests delay another by only one piece each. */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  #isRunning = false;

  /** Resolves when a piece of work may run, until its next real `await`. */
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
