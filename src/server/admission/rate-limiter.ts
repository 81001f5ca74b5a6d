import { errorMessage } from '../../api/refusal-message.js';
import type { RateLimit, RateWindows } from '../../storage/rate-windows.js';
import { countNoun } from '../../text/count-noun.js';
import { formatDuration } from '../../text/duration.js';
import { HttpError } from '../http/answer.js';

/**
 * Counts each key's requests; a window begins with the key's first request after the previous window. Servers that share
 * a database count together, each by its own clock.
 */
export function rateLimiter(atStart: RateLimit | undefined, clock: () => number, shared?: RateWindows) {
  const windows = new Map<string, { readonly start: number; requests: number }>();
  return {
    limit: atStart,

    /** Returns a promise only if the check takes time. @throws HttpError 429 with `Retry-After` */
    admit(keyId: string): Promise<void> | undefined {
      const { limit } = this;
      if (limit === undefined) return undefined;
      const now = clock();
      const waiting = shared?.admit(keyId, limit, now);
      if (waiting !== undefined) return waiting.then((wait) => requireRoom(limit, wait));
      const { requests, window } = limit;
      const known = windows.get(keyId);
      const isOpen = known !== undefined && now >= known.start && now < known.start + window;
      const current = isOpen ? known : { start: now, requests: 0 };
      windows.set(keyId, current);
      requireRoom(limit, current.requests < requests ? undefined : current.start + window - now);
      current.requests += 1;
      return undefined;
    },

    async reset(): Promise<void> {
      this.limit = atStart;
      windows.clear();
      await shared?.reset();
    },
  };
}

/** @param wait milliseconds until the next window; `undefined` within the limit */
function requireRoom({ requests, window }: RateLimit, wait: number | undefined): void {
  if (wait === undefined) return;
  const retryAfter = Math.max(1, Math.ceil(wait / 1000));
  const limit = `${countNoun(requests, 'request')} in ${formatDuration(window)}`;
  const reason = `more than ${limit}; retry in ${formatDuration(retryAfter * 1000)}`;
  throw new HttpError(429, errorMessage.tooManyRequests, {
    check: 'rate-limit',
    explain: () => ({ reason }),
    headers: ['Retry-After', String(retryAfter)],
  });
}
