/** Seconds by which a timestamp may differ from the server's clock, in either direction (reference, section 5). */
export const defaultMaxSkew = 300;

/** The value of `X-API-Timestamp` for a moment in milliseconds since the epoch. */
export function timestampOf(milliseconds: number): string {
  return String(Math.floor(milliseconds / 1000));
}

/**
 * Seconds since the epoch of an `X-API-Timestamp`; `undefined` when it is not a decimal string of seconds. Leading
 * zeros and signs are refused: the value is signed as text, so it has one spelling. Up to 15 digits are accepted, which
 * a number holds exactly.
 */
export function parseTimestamp(header: string | undefined): number | undefined {
  if (header === undefined || !/^(0|[1-9]\d{0,14})$/.test(header)) return undefined;
  return Number(header);
}

/** Whether a timestamp, in seconds, is within the tolerance of a clock in milliseconds, bounds included. */
export function withinSkew(timestamp: number, now: number, maxSkew: number): boolean {
  return Math.abs(Math.floor(now / 1000) - timestamp) <= maxSkew;
}

/** Whether a timestamp looks like milliseconds: as seconds it would be thirty thousand years ahead. */
export function isInMilliseconds(timestamp: string): boolean {
  return /^\d{13,}$/.test(timestamp);
}

/** Whether a value of `X-API-Timestamp` is valid and recent (reference, section 5, server rule 2). */
export function isTimely(header: string, now: number, maxSkew: number): boolean {
  const timestamp = parseTimestamp(header);
  return timestamp !== undefined && withinSkew(timestamp, now, maxSkew);
}
