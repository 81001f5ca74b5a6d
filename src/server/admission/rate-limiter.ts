import { errorMessage } from '../../api/refusal-message.js';
import { LruMap } from '../../platform/lru-map.js';
import type { RateLimit, RateWindows } from '../../storage/rate-windows.js';
import { countNoun } from '../../text/count-noun.js';
import { formatDuration } from '../../text/duration.js';
import { HttpError } from '../http/http-error.js';

export interface RequestLimiter {
  /** Returns a promise only if the check takes time. @throws HttpError 429 with `Retry-After` */
  admit(keyId: string): Promise<void> | undefined;
  limit: RateLimit | undefined;
  reset(): Promise<void>;
}

interface Window {
  readonly start: number;
  requests: number;
}

const trackedKeys = 10_000;

/** Counts each key's requests; a window begins with the key's first request after the previous window. */
export class RateLimiter implements RequestLimiter {
  limit: RateLimit | undefined;
  readonly #atStart: RateLimit | undefined;
  readonly #clock: () => number;
  readonly #windows = new LruMap<string, Window>(trackedKeys);

  constructor(limit: RateLimit | undefined, clock: () => number) {
    this.limit = limit;
    this.#atStart = limit;
    this.#clock = clock;
  }

  admit(keyId: string): undefined {
    if (this.limit === undefined) return;
    const { requests, window } = this.limit;
    const now = this.#clock();
    const current = this.#windowOf(keyId, now, window);
    if (current.requests < requests) {
      current.requests += 1;
      return;
    }
    throw tooManyRequests(this.limit, current.start + window - now);
  }

  async reset(): Promise<void> {
    this.limit = this.#atStart;
    this.#windows.clear();
  }

  #windowOf(keyId: string, now: number, length: number): Window {
    const known = this.#windows.get(keyId);
    if (known !== undefined && now >= known.start && now < known.start + length) return known;
    const window = { start: now, requests: 0 };
    this.#windows.set(keyId, window);
    return window;
  }
}

function tooManyRequests({ requests, window }: RateLimit, wait: number): HttpError {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000));
  const limit = `${countNoun(requests, 'request')} in ${formatDuration(window)}`;
  const reason = `more than ${limit}; retry in ${formatDuration(retryAfter * 1000)}`;
  return new HttpError(429, errorMessage.tooManyRequests, {
    check: 'rate-limit',
    explain: () => ({ reason }),
    headers: { 'retry-after': String(retryAfter) },
  });
}

/** Each server uses its own clock: servers whose clocks differ by more than a window keep restarting a key's window. */
export class SharedRateLimiter implements RequestLimiter {
  limit: RateLimit | undefined;
  readonly #atStart: RateLimit | undefined;
  readonly #windows: RateWindows;
  readonly #clock: () => number;

  constructor(windows: RateWindows, limit: RateLimit | undefined, clock: () => number) {
    this.limit = limit;
    this.#atStart = limit;
    this.#windows = windows;
    this.#clock = clock;
  }

  admit(keyId: string): Promise<void> | undefined {
    return this.limit && this.#admitWithin(keyId, this.limit);
  }

  async reset(): Promise<void> {
    this.limit = this.#atStart;
    await this.#windows.reset();
  }

  async #admitWithin(keyId: string, limit: RateLimit): Promise<void> {
    const wait = await this.#windows.admit(keyId, limit, this.#clock());
    if (wait !== undefined) throw tooManyRequests(limit, wait);
  }
}
