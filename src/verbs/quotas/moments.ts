import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../cli/context.js';
import { type ErrorCode, OrgctlError } from '../../errors/errors.js';
import type { QuotaSource, Reading } from './reading.js';

/** What is watched, and until when. */
export interface Watch {
  readonly source: QuotaSource;
  /** Milliseconds from the end of one reading to the start of the next. */
  readonly interval: number;
  /** Percent at which watching ends; absent for never. */
  readonly threshold: number | undefined;
}

export type WatchContext = Pick<
  Context,
  'printer' | 'system' | 'streams' | 'signal' | 'clock' | 'note' | 'flags' | 'exitWith'
>;

// Node fires a longer timer at once.
const longestTimer = 2 ** 31 - 1;

/** The state at one moment: the last reading, and the error if the latest one failed. */
export interface Moment {
  readonly reading?: Reading | undefined;
  /** When the reading was made, in milliseconds since the epoch. */
  readonly readAt?: number | undefined;
  readonly failure?: OrgctlError | undefined;
}

// Failures that may be temporary. Any other answer would be the same next time.
const passing: ReadonlySet<ErrorCode> = new Set(['network', 'server', 'rate_limited']);

/** Yields after each reading. Ends by throwing: a permanent failure, or the reason of the signal. */
export async function* moments(
  { source, interval }: Watch,
  { clock, signal }: Pick<WatchContext, 'clock' | 'signal'>,
): AsyncGenerator<Moment, never> {
  let last: Moment = {};
  while (true) {
    const failure = await source.read().then(
      (reading) => {
        last = { reading, readAt: clock() };
        return undefined;
      },
      (error: unknown) => passingFailure(error),
    );
    yield { ...last, failure };
    const asked = (failure?.details.retryAfter ?? 0) * 1000;
    const pause = Math.min(Math.max(interval, asked), longestTimer);
    await wait(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function passingFailure(error: unknown): OrgctlError {
  if (error instanceof OrgctlError && passing.has(error.code)) return error;
  throw error;
}
