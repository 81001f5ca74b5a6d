import { setTimeout as sleep } from 'node:timers/promises';
import { NetworkError, ServiceError } from '../../errors/errors.js';
import { formatDuration, longestTimer } from '../../text/duration.js';
import { ExchangeFailure } from './exchange.js';

export interface RetryPolicy {
  readonly retries: number;
  /** Milliseconds for all attempts and waits. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly note: (text: string) => void | Promise<void>;
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  readonly random?: (() => number) | undefined;
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** The time limit of an attempt, in milliseconds, and the option that set it. */
export interface TimeAllowed {
  readonly timeout: number;
  readonly option: 'timeout' | 'deadline';
  /** Value of the option; a deadline covers all attempts and waits. */
  readonly value: number;
}

/** @param end when the deadline passes (`performance.now()`) */
export function allowTime(timeout: number, deadline: number, end: number): TimeAllowed {
  const left = Math.max(1, end - performance.now());
  return left < timeout
    ? { timeout: Math.min(left, longestTimer), option: 'deadline', value: deadline }
    : { timeout: Math.min(timeout, longestTimer), option: 'timeout', value: timeout };
}

/** A failed attempt, and the wait before the next. */
export interface Retry {
  readonly retry: number;
  readonly retries: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  readonly error: NetworkError | ServiceError;
}

const passingStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

const firstBackoff = 500;
const longestBackoff = 20_000;

/**
 * Repeats an attempt until it succeeds, fails permanently, or no retries or time are left. Throws the last error.
 * @param attempt receives the moment when the deadline passes (`performance.now()`)
 */
export async function withRetries<Result>(
  attempt: (end: number) => Promise<Result>,
  policy: RetryPolicy,
): Promise<Result> {
  const { retries, deadline, signal, note, onRetry, random = Math.random, wait = byTimer } = policy;
  const end = performance.now() + deadline;
  for (let made = 0; made < retries; made++) {
    try {
      return await attempt(end);
    } catch (error) {
      if (!isRepeated(error)) throw error;
      const { retryAfter } = error.details;
      const delay = retryAfter === undefined ? backoff(made, random) : retryAfter * 1000;
      if (performance.now() + delay >= end) throw error;
      onRetry?.({ retry: made + 1, retries, delay, error });
      const what = error.message.replace(/\s+/g, ' ');
      await note(`${what}; retrying in ${formatDuration(Math.round(delay))} (${made + 1} of ${retries})`);
      await wait(delay, signal);
      signal.throwIfAborted();
    }
  }
  return attempt(end);
}

/** Whether to retry: after 429, after 502, 503 or 504 to GET, and if nothing was sent, unless a certificate is bad. */
function isRepeated(error: unknown): error is NetworkError | ServiceError {
  if (error instanceof NetworkError) {
    const isUnsent = error.cause instanceof ExchangeFailure && !error.cause.delivered;
    return isUnsent && error.details.retryable === true;
  }
  if (!(error instanceof ServiceError)) return false;
  const { method, status } = error.details;
  return error.code === 'rate_limited' || (method === 'GET' && passingStatuses.has(status));
}

// Full jitter, so that clients that failed at the same time do not retry at the same time.
function backoff(made: number, random: () => number): number {
  return random() * Math.min(longestBackoff, firstBackoff * 2 ** made);
}

async function byTimer(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
