/** Reports silence when nothing has refreshed the timer within the timeout. */
export class SilenceTimer {
  readonly #timeout: number;
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout;

  /** @param timeout milliseconds */
  constructor(timeout: number, onSilence: () => void) {
    this.#timeout = timeout;
    this.#onSilence = onSilence;
    this.#timer = setTimeout(onSilence, timeout);
  }

  refresh(): void {
    this.#timer.refresh();
  }

  /** Runs work later; the time until then does not count as silence. */
  postpone(milliseconds: number, work: () => void): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(this.#onSilence, this.#timeout);
      work();
    }, milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
