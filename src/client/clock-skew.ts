import { errorMessage } from '../contract/error-message.js';
import { isLoopback } from '../contract/loopback.js';
import { messageOfAnswer } from './answer-error.js';
import type { Answer } from './exchange.js';

const day = 24 * 60 * 60 * 1000;

/**
 * Milliseconds by which the service's clock is ahead of ours, where it refused a timestamp and its `Date` header can be
 * believed: over TLS or loopback, and at most 24 hours away (contract, section 3). Otherwise `undefined`.
 */
export function clockSkew(answer: Answer, origin: string, now: number): number | undefined {
  if (answer.status !== 401 || messageOfAnswer(answer) !== errorMessage.invalidTimestamp) return undefined;
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'https:' && !isLoopback(hostname)) return undefined;
  const date = Date.parse(String(answer.headers['date']));
  const skew = date - now;
  return Math.abs(skew) <= day ? skew : undefined;
}
