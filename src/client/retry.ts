import { setTimeout as wait } from 'node:timers/promises';
import { NetworkError, ServiceError } from '../errors.js';

/** When a failed attempt is made again (contract, section 3). */
export interface RetryPolicy {
  /** Further attempts after the first. */
  readonly retries: number;
  /** Milliseconds for all attempts and waits together. */
  readonly deadline: number;
  /** Ends a wait at once. */
  readonly signal: AbortSignal;
  /** Told of each wait. */
  readonly note: (text: string) => void | Promise<void>;
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

const firstBackoff = 500;
const longestBackoff = 20_000;

/**
 * Makes an attempt until it succeeds, its error is final, the attempts are used up or the next wait would end after
 * the deadline; then the last error is thrown.
 *
 * @param attempt gets the milliseconds that are left
 */
export async function withRetries<Result>(
  attempt: (remaining: number) => Promise<Result>,
  policy: RetryPolicy,
): Promise<Result> {
  const { retries, deadline, signal, note, random = Math.random } = policy;
  const end = performance.now() + deadline;
  for (let made = 0; ; made++) {
    try {
      return await attempt(end - performance.now());
    } catch (error) {
      const delay = made < retries ? retryDelay(error, made, random) : undefined;
      if (delay === undefined || performance.now() + delay >= end) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      await note(`${reason}; trying again in ${seconds(delay)} s (${made + 1} of ${retries})`);
      await wait(delay, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }
}

/**
 * Milliseconds to wait before the attempt is made again; `undefined` when it is not. Only what certainly was not
 * carried out is: 429 on any method, errors before the request was sent, and 502, 503 and 504 on GET.
 */
export function retryDelay(error: unknown, made: number, random: () => number): number | undefined {
  if (error instanceof NetworkError) return error.details.retryable ? backoff(made, random) : undefined;
  if (!(error instanceof ServiceError) || !error.details.retryable) return undefined;
  const { retryAfter } = error.details;
  return retryAfter === undefined ? backoff(made, random) : retryAfter * 1000;
}

// Full jitter: clients that failed together must not come back together.
function backoff(made: number, random: () => number): number {
  return random() * Math.min(longestBackoff, firstBackoff * 2 ** made);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
