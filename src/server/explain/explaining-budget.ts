import type { PendingRefusal, Refusal } from './refusal.js';

/** Milliseconds of work that are allowed at once, and how many more with each second. */
const most = 1000;
const perSecond = 100;

/**
 * Explains refusals as long as that does not hold up the server: looking for the mistake behind a signature takes
 * hundreds of hashes, and whoever sends refused requests chooses how many there are.
 */
export class ExplainingBudget {
  readonly #now: () => number;
  #left = most;
  #countedAt: number;

  /** `now` is a monotonic time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#countedAt = now();
  }

  explain({ check, message, explain, takesWork = false }: PendingRefusal): Refusal {
    if (explain === undefined) return { check, reason: message };
    if (!takesWork) return { check, ...explain() };
    const start = this.#now();
    this.#left = Math.min(most, this.#left + ((start - this.#countedAt) * perSecond) / 1000);
    this.#countedAt = start;
    if (this.#left <= 0) {
      return { check, reason: `${message} (not explained: too many requests are refused at the moment)` };
    }
    const explanation = explain();
    this.#left -= this.#now() - start;
    return { check, ...explanation };
  }
}
