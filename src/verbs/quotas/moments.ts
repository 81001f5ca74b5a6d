import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../cli/context.js';
import { type ErrorCode, OrgctlError } from '../../errors/errors.js';
import { longestTimer } from '../../text/duration.js';
import type { QuotaReading, QuotaSource } from './reading.js';

export interface Watch {
  readonly source: QuotaSource;
  /** Milliseconds from the end of one reading to the start of the next. */
  readonly interval: number;
  /** Percent of use at which watching ends. */
  readonly threshold: number | undefined;
}

export type WatchContext = Pick<
  Context,
  'printer' | 'system' | 'streams' | 'signal' | 'clock' | 'note' | 'flags' | 'exitWith'
>;

/** The last successful reading. `failure` is the error of a later attempt, or of quotas that the reading lacks. */
export interface Moment {
  readonly reading?: QuotaReading | undefined;
  /** Milliseconds since the epoch. */
  readonly readAt?: number | undefined;
  readonly failure?: OrgctlError | undefined;
}

/** A moment, and the milliseconds until the next attempt. */
export interface TimedMoment extends Moment {
  readonly pause: number;
}

// Possibly temporary failures; others would repeat.
const passing: ReadonlySet<ErrorCode> = new Set(['network', 'server', 'rate_limited']);

/** Yields after each attempt to read. @throws permanent failures and the signal's reason */
export async function* moments(
  { source, interval }: Watch,
  { clock, signal }: Pick<WatchContext, 'clock' | 'signal'>,
): AsyncGenerator<TimedMoment, never> {
  let last: Moment = {};
  while (true) {
    const failure = await source.read().then(
      (reading) => {
        last = { reading, readAt: clock() };
        return reading.unread;
      },
      (error: unknown) => passingFailure(error),
    );
    const asked = (failure?.details.retryAfter ?? 0) * 1000;
    const pause = Math.min(Math.max(interval, asked), longestTimer);
    yield { ...last, failure, pause };
    await wait(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function passingFailure(error: unknown): OrgctlError {
  if (error instanceof OrgctlError && passing.has(error.code)) return error;
  throw error;
}
