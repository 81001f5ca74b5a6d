import { redactedTarget } from '../../redaction/redact.js';
import type { Refusal, RefusalCause } from './refusal.js';

const notExplained = 'not explained: too many refused requests at the moment';

/** Expensive explanations in a second, because clients choose how many refused requests they send. */
const perSecond = 20;

/** How many of these may be thorough, which takes as long as several superficial ones. */
const thoroughPerSecond = 3;

/** In characters; redacting targets up to this length costs next to nothing. */
const glancedAt = 1024;

interface ExplainableError {
  readonly message: string;
  readonly refusal: RefusalCause;
}

/** Limits how many refusals are explained, and long targets redacted, in a second. */
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
    if (!this.#take()) return { check, reason: `${message} (${notExplained})` };
    return { check, ...explain(this.#used <= thoroughPerSecond) };
  }

  /** A target for the log; of a long one only its length if too many came within a second. */
  redactedTarget(target: string): string {
    if (target.length <= glancedAt || this.#take()) return redactedTarget(target);
    return `(${target.length} characters)`;
  }

  #take(): boolean {
    const now = this.#now();
    if (now - this.#since >= 1000) {
      this.#since = now;
      this.#used = 0;
    }
    this.#used += 1;
    return this.#used <= perSecond;
  }
}
