import { errorMessage } from '../contract/error-message.js';
import { isLoopback } from '../contract/loopback.js';
import { statementOf } from './answer-message.js';
import type { Answer } from './exchange.js';
import { parseHttpDate } from './http-date.js';

const day = 24 * 60 * 60 * 1000;

/**
 * Milliseconds by which the service's clock is ahead of ours, where it refused a timestamp and its `Date` header can be
 * believed: over TLS or loopback, and at most 24 hours away (contract, section 3). Otherwise `undefined`.
 */
export function clockSkew(answer: Answer, origin: string, now: number): number | undefined {
  if (answer.status !== 401 || statementOf(answer) !== errorMessage.invalidTimestamp) return undefined;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'https:' && !isLoopback(hostname)) return undefined;
  const date = parseHttpDate(answer.headers['date']);
  if (date === undefined || Math.abs(date - now) > day) return undefined;
  return date - now;
}
