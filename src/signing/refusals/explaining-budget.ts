import { redactedTarget } from '../../redaction/redact.js';
import type { Refusal, RefusalCause } from './refusal.js';

export const notExplained = 'not explained: too many refused requests at the moment';

/** Milliseconds of work in one burst, and per second. */
const maxExplained = 1000;
const perSecond = 100;

/** With less left, explanations are superficial: a thorough search takes as long as several superficial ones. */
const thoroughly = 0.5 * maxExplained;

/** In characters; redacting targets up to this length costs next to nothing. */
const glancedAt = 1024;

interface ExplainableError {
  readonly message: string;
  readonly refusal: RefusalCause;
}

/** Limits the work of explaining and redacting, because clients choose how many refused requests they send. */
export class ExplainingBudget {
  readonly #now: () => number;
  readonly #worked: () => number;
  #left = maxExplained;
  #countedAt: number;

  /** @param now monotonic milliseconds @param worked processor time in milliseconds */
  constructor(now: () => number, worked = now) {
    this.#now = now;
    this.#worked = worked;
    this.#countedAt = now();
  }

  explain({ message, refusal: { check = 'request', explain, isExpensive } }: ExplainableError): Refusal {
    if (explain === undefined) return { check, reason: message };
    if (!isExpensive) return { check, ...explain(true) };
    const reason = `${message} (${notExplained})`;
    return { check, ...(this.#within(() => explain(this.#left > thoroughly)) ?? { reason }) };
  }

  /** A target for the log; only its length if redacting it would take too long now. */
  redactedTarget(target: string): string {
    if (target.length <= glancedAt) return redactedTarget(target);
    return this.#within(() => redactedTarget(target)) ?? `(${target.length} characters)`;
  }

  /** Does the work, or returns `undefined` if the budget is used up. */
  #within<Result>(work: () => Result): Result | undefined {
    const start = this.#now();
    this.#left = Math.min(maxExplained, this.#left + ((start - this.#countedAt) * perSecond) / 1000);
    this.#countedAt = start;
    if (this.#left <= 0) return undefined;
    const before = this.#worked();
    const result = work();
    this.#left -= this.#worked() - before;
    return result;
  }
}
