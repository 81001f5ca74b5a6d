import { errorMessage } from '../../api/refusal-message.js';
import { isLoopback } from '../../text/base-url.js';
import type { Answer } from '../exchange/exchange.js';
import { knownForms, type WaitHeader } from '../reading/forms.js';
import { readStatements } from './answer-message.js';

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds since the epoch. `Date.parse` would accept `-5`, as a date in 2001. */
export function parseHttpDate(header: string | string[] | undefined): number | undefined {
  const time = typeof header === 'string' && httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Seconds to wait, from `Retry-After` or the rate limit headers of a 429. @param now milliseconds, by our clock */
export function retryAfterSeconds(
  answer: Answer,
  now: number,
  waits: readonly WaitHeader[] = knownForms.waits,
): number | undefined {
  for (const { header, form } of waits) {
    const value = answer.headers[header];
    if (typeof value !== 'string' || (form !== 'retry-after' && answer.status !== 429)) continue;
    const seconds = secondsByForm[form](value, parseHttpDate(answer.headers['date']) ?? now);
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

// `serviceTime` is the response's `Date` if there is one, because our clock may be off.
const secondsByForm: Readonly<
  Record<WaitHeader['form'], (value: string, serviceTime: number) => number | undefined>
> = {
  // Seconds or a date (RFC 9110, section 10.2.3).
  'retry-after': (value, serviceTime) => {
    const date = parseHttpDate(value);
    return fullSeconds(value) ?? (date === undefined ? undefined : secondsUntil(date, serviceTime));
  },
  reset: (value, serviceTime) => {
    const number = fullSeconds(value);
    if (number === undefined || number < leastMoment) return number;
    return secondsUntil(number < leastMilliseconds ? number * 1000 : number, serviceTime);
  },
  // `"default";r=0;t=5` of an IETF draft (exhausted policies take precedence), or `limit=100, remaining=0, reset=5`.
  fields: (value) => {
    const policies = value.split(',');
    const spent = policies.filter((policy) => /;\s*r=0\s*(?:;|$)/.test(policy));
    const texts = (spent.length > 0 ? spent : policies).map(
      (policy) => /(?:;\s*t|(?:^|\s)reset)=([\d.]+)/.exec(policy)?.[1],
    );
    const seconds = texts.flatMap((text) => fullSeconds(text ?? '') ?? []);
    return seconds.length === 0 ? undefined : Math.max(...seconds);
  },
};

/** Numbers from `leastMoment` on are seconds since the epoch; from `leastMilliseconds` on, milliseconds. */
const leastMoment = 1e8;
const leastMilliseconds = 1e11;

/** Rounds up, because some services send fractions. */
function fullSeconds(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? Math.min(Math.ceil(Number(text)), Number.MAX_SAFE_INTEGER) : undefined;
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(0, Math.ceil((moment - now) / 1000));
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Milliseconds of skew after a refused timestamp. Trusts `Date` only over TLS or loopback, and up to 24 hours off. */
export function clockSkew(answer: Answer, origin: string, now: number): number | undefined {
  if (answer.status !== 401 || !readStatements(answer).includes(errorMessage.invalidTimestamp))
    return undefined;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'https:' && !isLoopback(hostname)) return undefined;
  const date = parseHttpDate(answer.headers['date']);
  if (date === undefined || Math.abs(date - now) > dayMilliseconds) return undefined;
  return date - now;
}
