import { parseTimestamp } from '../hmac/timestamp.js';

/** Why a timestamp was refused, in words that may be logged. */
export interface TimestampExplanation {
  /** A sentence without a full stop. */
  readonly reason: string;
  /** Seconds by which the timestamp is ahead of the server's clock; negative when it is behind. */
  readonly skew?: number;
}

/**
 * Why a timestamp was refused (reference, section 5, server rule 2).
 * @param header the value of `X-API-Timestamp`, empty when it is missing
 * @param now the server's clock, in milliseconds since the epoch
 * @param maxSkew seconds of tolerance
 */
export function explainTimestamp(header: string, now: number, maxSkew: number): TimestampExplanation {
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

/** Why an `Authorization` header is not in the form of mode A (reference, section 5); no part of it is quoted. */
export function explainBasicFormat(header: string): string {
  const [, scheme = '', encoded] = /^([^\s]*)(?: (.*))?$/s.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return 'the scheme of the Authorization header is not Basic';
  if (encoded === undefined || encoded === '') return 'nothing comes after Basic in the Authorization header';
  const decoded = Buffer.from(encoded, 'base64');
  if (decoded.toString('base64') !== encoded) {
    return 'what comes after Basic is not base64 with its padding, on one line';
  }
  return decoded.includes(':')
    ? 'the decoded credentials are not UTF-8'
    : 'the decoded credentials have no colon between key ID and secret';
}
