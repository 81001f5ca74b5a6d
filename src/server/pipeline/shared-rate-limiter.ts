import type { RateLimit, RateWindows } from '../../storage/rate-windows.js';
import { type RequestLimiter, tooMany } from './rate-limiter.js';

/**
 * Counts each API key's requests to all servers of a database. Windows begin and end as with `RateLimiter`, by the clock
 * of the server that is asked: clocks that are apart by more than a window begin it anew, again and again.
 */
export class SharedRateLimiter implements RequestLimiter {
  readonly #windows: RateWindows;
  readonly #limit: RateLimit;
  readonly #clock: () => number;

  constructor(windows: RateWindows, limit: RateLimit, clock: () => number) {
    this.#windows = windows;
    this.#limit = limit;
    this.#clock = clock;
  }

  /** @throws HttpError 429 with `Retry-After` when the key has no request left in its window. */
  async admit(keyId: string): Promise<void> {
    const wait = await this.#windows.admit(keyId, this.#limit, this.#clock());
    if (wait !== undefined) throw tooMany(this.#limit, wait);
  }

  reset(): Promise<void> {
    return this.#windows.reset();
  }
}
