import { errorMessage } from '../../api/error-message.js';
import { isLoopback } from '../../text/loopback.js';
import type { Answer } from '../exchange/exchange.js';
import { statementOf } from './answer-message.js';

const fixedDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Milliseconds since the epoch of an HTTP date in any of its three forms (RFC 9110, section 5.6.7); `undefined` for
 * anything else, including an absent or repeated header. `Date.parse` alone would read `-5` as the year 2001.
 */
export function parseHttpDate(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = asctimeDate.test(header) ? `${header} GMT` : header;
  if (text === header && !fixedDate.test(header) && !rfc850Date.test(header)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Seconds to wait by `Retry-After`, which holds seconds or a date (RFC 9110, section 10.2.3); never negative.
 * `undefined` when the header is absent or invalid.
 *
 * @param now our clock, in milliseconds since the epoch
 */
export function retryAfterSeconds({ headers }: Answer, now: number): number | undefined {
  const header = headers['retry-after'];
  if (typeof header !== 'string') return undefined;
  if (/^\d+$/.test(header)) return Math.min(Number(header), Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(header);
  // By the service's own clock if it sent one: ours may be off.
  const sent = parseHttpDate(headers['date']) ?? now;
  return date === undefined ? undefined : Math.max(0, Math.ceil((date - sent) / 1000));
}

const day = 24 * 60 * 60 * 1000;

/**
 * Milliseconds by which the service's clock is ahead of ours, when it refused a timestamp and its `Date` header is
 * credible: sent over TLS or loopback, and at most 24 hours off (contract, section 3). Otherwise `undefined`.
 */
export function clockSkew(answer: Answer, origin: string, now: number): number | undefined {
  if (answer.status !== 401 || statementOf(answer) !== errorMessage.invalidTimestamp) return undefined;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'https:' && !isLoopback(hostname)) return undefined;
  const date = parseHttpDate(answer.headers['date']);
  if (date === undefined || Math.abs(date - now) > day) return undefined;
  return date - now;
}
