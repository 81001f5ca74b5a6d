import { redactedTarget } from '../../redaction/redact.js';
import type { HttpError } from '../pipeline/http-error.js';
import type { Refusal } from './refusal.js';

/** Milliseconds of work that are allowed at once, and how many more with each second. */
const most = 1000;
const perSecond = 100;

/** With less left, requests are explained superficially: one thorough search takes as long as ten others. */
const thoroughly = 0.9 * most;

/** Characters of a target that are always redacted: so few cost nothing. */
const glancedAt = 1024;

/**
 * Explains and redacts as long as that does not hold up the server: looking for the mistakes behind a signature takes
 * thousands of hashes, a long target is looked through to its end, and whoever sends refused requests chooses how many
 * there are.
 */
export class ExplainingBudget {
  readonly #now: () => number;
  readonly #worked: () => number;
  #left = most;
  #countedAt: number;

  /** `now` is a monotonic time in milliseconds, and `worked` one that goes on while there is work to do, and only then. */
  constructor(now: () => number, worked = now) {
    this.#now = now;
    this.#worked = worked;
    this.#countedAt = now();
  }

  explain({ message, refusal: { check = 'request', explain, takesWork } }: HttpError): Refusal {
    if (explain === undefined) return { check, reason: message };
    if (!takesWork) return { check, ...explain(true) };
    const reason = `${message} (not explained: too many requests are refused at the moment)`;
    return { check, ...(this.#within(() => explain(this.#left > thoroughly)) ?? { reason }) };
  }

  /** A target as the log shows it: its length alone, where looking through a long one would take too long now. */
  redactedTarget(target: string): string {
    if (target.length <= glancedAt) return redactedTarget(target);
    return this.#within(() => redactedTarget(target)) ?? `(${target.length} characters)`;
  }

  /** What the work makes; `undefined` without doing it when there is no time left for it. */
  #within<Result>(work: () => Result): Result | undefined {
    const start = this.#now();
    this.#left = Math.min(most, this.#left + ((start - this.#countedAt) * perSecond) / 1000);
    this.#countedAt = start;
    if (this.#left <= 0) return undefined;
    const before = this.#worked();
    const result = work();
    this.#left -= this.#worked() - before;
    return result;
  }
}
