/** Last millisecond of the year 9999: later times have no ISO 8601 form that everybody reads. */
export const latestTime = Date.UTC(10_000, 0) - 1;

/** The server's own clock: it runs as its source does, ahead or behind by an offset that can be changed. */
export class ServerClock {
  readonly #source: () => number;
  readonly #atStart: number;
  #offset: number;

  /** `source` and `offset` are in milliseconds. */
  constructor(source: () => number, offset = 0) {
    this.#source = source;
    this.#atStart = offset;
    this.#offset = offset;
  }

  /** Milliseconds since the epoch; bound, so that it can be handed on. */
  readonly now = (): number => this.#source() + this.#offset;

  /** Milliseconds by which the clock is ahead of its source; negative when it is behind. */
  get offset(): number {
    return this.#offset;
  }

  /** Sets the time, in milliseconds since the epoch; the clock runs on from there. */
  set(time: number): void {
    this.#offset = time - this.#source();
  }

  /** Back to the offset that the clock was made with. */
  reset(): void {
    this.#offset = this.#atStart;
  }
}
