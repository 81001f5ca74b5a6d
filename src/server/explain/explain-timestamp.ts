import { parseTimestamp } from '../../signing/index.js';
import type { Explanation } from './refusal.js';

/**
 * Why a timestamp was refused (reference, section 5, server rule 2).
 * @param header the value of `X-API-Timestamp`, empty when it is missing
 * @param now the server's clock, in milliseconds since the epoch
 * @param maxSkew seconds of tolerance
 */
export function explainTimestamp(header: string, now: number, maxSkew: number): Explanation {
  if (header === '') return { reason: 'X-API-Timestamp is missing' };
  const timestamp = parseTimestamp(header);
  if (timestamp === undefined) return { reason: 'X-API-Timestamp is not a decimal number of seconds' };
  const server = Math.floor(now / 1000);
  const skew = timestamp - server;
  const inSeconds = Math.floor(timestamp / 1000);
  if (timestamp > 100_000_000_000 && Math.abs(inSeconds - server) < 10 * 366 * 86_400) {
    return { reason: 'X-API-Timestamp is in milliseconds, not in seconds', skew };
  }
  const side = skew < 0 ? 'behind' : 'ahead of';
  return {
    reason: `X-API-Timestamp is ${Math.abs(skew)} seconds ${side} the server's clock; ${maxSkew} are tolerated`,
    skew,
  };
}
