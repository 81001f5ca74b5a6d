import type { Refusal, RefusalCause } from './refusal.js';

/** Clients choose how many refused requests they send. */
const perSecond = 20;

/** A thorough explanation takes as long as several superficial ones. */
const thoroughPerSecond = 3;

interface ExplainableError {
  readonly message: string;
  readonly refusal: RefusalCause;
}

/** Limits how many refusals are explained in a second; the others are told plainly. */
export class ExplainingBudget {
  readonly #now: () => number;
  #since = Number.NEGATIVE_INFINITY;
  #used = 0;

  /** @param now monotonic milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  explain({ message, refusal: { check = 'request', explain, isExpensive } }: ExplainableError): Refusal {
    if (explain === undefined) return { check, reason: message };
    if (!isExpensive) return { check, ...explain(true) };
    const now = this.#now();
    if (now - this.#since >= 1000) [this.#since, this.#used] = [now, 0];
    this.#used += 1;
    if (this.#used <= perSecond) return { check, ...explain(this.#used <= thoroughPerSecond) };
    return { check, reason: `${message} (not explained: too many refused requests at the moment)` };
  }
}
