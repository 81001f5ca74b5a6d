import type { PendingRefusal, Refusal } from './refusal.js';

/** Milliseconds of each second that explaining may take. */
const allowance = 100;
const second = 1000;

/**
 * Explains refusals as long as that does not hold up the server: looking for the mistake behind a signature takes
 * hundreds of hashes, and whoever sends refused requests chooses how many there are.
 */
export class ExplainingBudget {
  readonly #now: () => number;
  #start = Number.NEGATIVE_INFINITY;
  #spent = 0;

  /** `now` is a monotonic time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  explain({ check, message, explain }: PendingRefusal): Refusal {
    if (explain === undefined) return { check, reason: message };
    const start = this.#now();
    if (start - this.#start >= second) {
      this.#start = start;
      this.#spent = 0;
    }
    if (this.#spent >= allowance) {
      return { check, reason: `${message} (not explained: too many requests are refused at the moment)` };
    }
    const explanation = explain();
    this.#spent += this.#now() - start;
    return { check, ...explanation };
  }
}
