/** Seconds that a timestamp may be ahead or behind. */
export const defaultMaxSkew = 300;

/** `X-API-Timestamp` for milliseconds since the epoch. */
export function timestampOf(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1000));
}

/** Seconds since the epoch. Accepts only one spelling, because the header is signed as text. */
export function parseTimestamp(header: string | undefined): number | undefined {
  if (header === undefined || !/^(0|[1-9]\d{0,14})$/.test(header)) return undefined;
  return Number(header);
}

/** @param timestamp seconds @param now milliseconds @param maxSkew seconds */
export function withinSkew(timestamp: number, now: number, maxSkew: number): boolean {
  return Math.abs(Math.floor(now / 1000) - timestamp) <= maxSkew;
}

/** In seconds, 13 digits would be over thirty thousand years ahead. */
export function isInMilliseconds(timestamp: string): boolean {
  return /^\d{13,}$/.test(timestamp);
}

/** For the log: `reason` is a sentence without a period, and shows no secret or signature. */
export interface CredentialExplanation {
  readonly reason: string;
  /** Seconds ahead of the clock; negative when behind. */
  readonly skew?: number;
}

/** @param header empty if missing @param now milliseconds since the epoch @param maxSkew seconds */
export function explainTimestamp(header: string, now: number, maxSkew: number): CredentialExplanation {
  if (header === '') return { reason: 'X-API-Timestamp is missing' };
  const timestamp = parseTimestamp(header);
  if (timestamp === undefined) return { reason: 'X-API-Timestamp is not a decimal number of seconds' };
  const server = Math.floor(now / 1000);
  const skew = timestamp - server;
  if (isInMilliseconds(header)) {
    return { reason: 'X-API-Timestamp is in milliseconds, not in seconds', skew };
  }
  const side = skew < 0 ? 'behind' : 'ahead of';
  return {
    reason: `X-API-Timestamp is ${Math.abs(skew)} seconds ${side} the server's clock; the limit is ${maxSkew}`,
    skew,
  };
}
