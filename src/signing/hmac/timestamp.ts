import type { CredentialExplanation } from '../claim/claim.js';

/** Seconds by which a timestamp may differ from the server's clock, in either direction (reference, section 5). */
export const defaultMaxSkew = 300;

/** The value of `X-API-Timestamp` for a moment in milliseconds since the epoch. */
export function timestampOf(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1000));
}

/**
 * Seconds since the epoch of an `X-API-Timestamp`, without leading zeros or signs: it is signed as text, so it has one
 * spelling. Up to 15 digits, which a number holds exactly.
 */
export function parseTimestamp(header: string | undefined): number | undefined {
  if (header === undefined || !/^(0|[1-9]\d{0,14})$/.test(header)) return undefined;
  return Number(header);
}

/** Whether a timestamp in seconds is within the tolerance of a clock in milliseconds, bounds included. */
export function withinSkew(timestamp: number, now: number, maxSkew: number): boolean {
  return Math.abs(Math.floor(now / 1000) - timestamp) <= maxSkew;
}

/** As seconds it would be thirty thousand years ahead. */
export function isInMilliseconds(timestamp: string): boolean {
  return /^\d{13,}$/.test(timestamp);
}

/** Reference, section 5, server rule 2. */
export function isTimely(header: string, now: number, maxSkew: number): boolean {
  const timestamp = parseTimestamp(header);
  return timestamp !== undefined && withinSkew(timestamp, now, maxSkew);
}

/** @param header empty when it is missing @param now milliseconds since the epoch @param maxSkew seconds */
export function explainTimestamp(header: string, now: number, maxSkew: number): CredentialExplanation {
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
