import type { Answer } from './exchange.js';
import { parseHttpDate } from './http-date.js';

/**
 * Seconds that `Retry-After` asks to wait, given as seconds or as a date (RFC 9110, section 10.2.3); never negative.
 * `undefined` when there is no such header or it is neither.
 *
 * @param now our clock, in milliseconds since the epoch
 */
export function retryAfterSeconds({ headers }: Answer, now: number): number | undefined {
  const header = headers['retry-after'];
  if (typeof header !== 'string') return undefined;
  if (/^\d+$/.test(header)) return Math.min(Number(header), Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(header);
  // The service's own clock, where it tells it: ours may be ahead or behind.
  const sent = parseHttpDate(headers['date']) ?? now;
  return date === undefined ? undefined : Math.max(0, Math.ceil((date - sent) / 1000));
}
