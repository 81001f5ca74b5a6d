/** Tells when nothing has happened for so long. */
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

  /** Something happened. */
  refresh(): void {
    this.#timer.refresh();
  }

  /** Does some work later; nobody is silent meanwhile. */
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
