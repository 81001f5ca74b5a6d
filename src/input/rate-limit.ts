import { maxRateRequests } from '../api/control/calls.js';
import { UsageError } from '../errors/errors.js';
import { parseDuration } from '../text/duration.js';

/** Parses text such as `100/1m`; `window` is in milliseconds. @param label for errors @throws UsageError */
export function parseRateLimit(
  text: string,
  label: string,
): { readonly requests: number; readonly window: number } {
  const [, digits, duration = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  const requests = Number(digits ?? 0);
  const window = parseDuration(duration);
  if (requests > 0 && requests <= maxRateRequests && window) return { requests, window };
  const what = `must be requests/duration: 1 to ${maxRateRequests} requests in at most 24 days`;
  throw new UsageError(`${label}: ${what}`, {
    hint: 'for example 100/1m: 100 requests per minute for each API key',
  });
}
