import { errorMessage } from '../../api/refusal-message.js';
import type { Answer } from '../exchange/exchange.js';
import { readStatements } from '../reading/error-texts.js';
import { knownForms } from '../reading/forms.js';

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns milliseconds since the epoch. `Date.parse` alone would read `-5` as a date in 2001. */
export function parseHttpDate(header: string | string[] | undefined): number | undefined {
  const time = typeof header === 'string' && httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Numbers of at least this are seconds since the epoch; of at least `leastMilliseconds`, milliseconds. */
const leastMoment = 1e8;
const leastMilliseconds = 1e11;

/**
 * Seconds to wait, rounded up, from `Retry-After` or, for a 429, a rate limit header. Both may be a date; large
 * numbers in the latter are times since the epoch. Of the policies in `RateLimit`, the first counts.
 * @param now milliseconds by our clock, for responses without `Date`
 */
export function retryAfterSeconds(
  { status, headers }: Answer,
  now: number,
  waits = knownForms.waits,
): number | undefined {
  const serviceTime = parseHttpDate(headers['date']) ?? now;
  for (const name of waits) {
    const value = headers[name];
    if (typeof value !== 'string' || (name !== 'retry-after' && status !== 429)) continue;
    const figure = /^\d+(\.\d+)?$/.test(value) ? value : /\b(?:t|reset)=([\d.]+)/.exec(value)?.[1];
    const seconds = Math.min(Math.ceil(Number(figure)), Number.MAX_SAFE_INTEGER);
    const isMoment = name !== 'retry-after' && seconds >= leastMoment;
    const moment = isMoment ? seconds * (seconds < leastMilliseconds ? 1000 : 1) : parseHttpDate(value);
    if (moment !== undefined) return Math.max(0, Math.ceil((moment - serviceTime) / 1000));
    if (!Number.isNaN(seconds)) return seconds;
  }
  return undefined;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Milliseconds of skew after a refused timestamp, up to 24 hours. `Date` is trusted: it came over TLS or loopback. */
export function clockSkew(answer: Answer, now: number): number | undefined {
  if (answer.status !== 401 || !readStatements(answer).includes(errorMessage.invalidTimestamp))
    return undefined;
  const date = parseHttpDate(answer.headers['date']);
  return date === undefined || Math.abs(date - now) > dayMilliseconds ? undefined : date - now;
}
