import { durationExamples, parseDuration } from '../../contract/duration.js';
import { badRequest } from '../pipeline/http-error.js';
import type { RequestLimiter } from '../pipeline/rate-limiter.js';
import type { ControlledRateLimit } from './control.js';

/** Sets and lifts a server's rate limit. */
export function controlRateLimit(limiter: RequestLimiter): ControlledRateLimit {
  return {
    get: () => limiter.limit,
    set({ requests, window }) {
      if (!Number.isInteger(requests) || requests < 1) throw badRequest('requests must be 1 or more');
      limiter.limit = { requests, window: millisecondsOf(window) };
      return limiter.limit;
    },
    clear() {
      limiter.limit = undefined;
    },
  };
}

function millisecondsOf(window: number | string): number {
  const milliseconds = typeof window === 'number' ? window : parseDuration(window);
  if (milliseconds !== undefined && milliseconds > 0 && Number.isFinite(milliseconds)) return milliseconds;
  throw badRequest(`window must be a duration such as ${durationExamples}, or milliseconds`);
}
