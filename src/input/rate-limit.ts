import { maxRateRequests } from '../api/control/rate-limit.js';
import { UsageError } from '../errors/errors.js';
import { parseAge, parseDuration } from '../text/duration.js';

/** Parses text such as `100/1m`; `window` is in milliseconds. @param label for errors @throws UsageError */
export function parseRateLimit(
  text: string,
  label: string,
): { readonly requests: number; readonly window: number } {
  const [, digits, duration = ''] = /^(\d+)\/(.+)$/.exec(text) ?? [];
  const requests = Number(digits ?? 0);
  const window = parseDuration(duration);
  if (requests > maxRateRequests) throw refuseLimit(`${label}: at most ${maxRateRequests} requests`);
  if (requests > 0 && window) return { requests, window };
  const isTooLong = window === undefined && parseAge(duration) !== undefined;
  throw refuseLimit(
    isTooLong
      ? `${label}: the duration is longer than 24 days`
      : `${label}: must be requests/duration, both above 0`,
  );
}

function refuseLimit(message: string): UsageError {
  return new UsageError(message, {
    hint: 'for example 100/1m: 100 requests per minute for each API key',
  });
}
