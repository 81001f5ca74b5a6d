import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.js';
import { formatDuration, parseDuration } from '../../contract/duration.js';
import { type ErrorCode, InterruptedError, OrgctlError, UsageError } from '../../errors.js';
import { exitCodes } from '../../exit.js';
import { type Flags, givenSetting, settings } from '../../profiles/settings.js';
import type { QuotaSource, Reading } from './reading.js';

/** What is watched, and until when. */
export interface Watch {
  readonly source: QuotaSource;
  /** Milliseconds from the end of one reading to the beginning of the next. */
  readonly interval: number;
  /** Percent at which it ends; never where there is none. */
  readonly threshold: number | undefined;
}

export type WatchContext = Pick<
  Context,
  'printer' | 'system' | 'streams' | 'signal' | 'clock' | 'note' | 'flags' | 'exitWith'
>;

const defaultInterval = 5000;
// Faster than this only costs the service, which may limit the rate.
const shortestInterval = 100;
// Node fires a longer one at once.
const longestTimer = 2 ** 31 - 1;

/**
 * Milliseconds of `--watch [interval]`; `undefined` without it.
 *
 * @throws UsageError for what is no duration, or too short
 */
export function parseInterval(given: string | true | undefined): number | undefined {
  if (given === undefined || given === true) return given && defaultInterval;
  const interval = parseDuration(given);
  if (interval !== undefined && interval >= shortestInterval) return interval;
  throw new UsageError(`--watch ${given}: not an interval of ${formatDuration(shortestInterval)} or more`, {
    hint: `for example --watch 30s; without one it is ${formatDuration(defaultInterval)}`,
  });
}

/** A watch makes the further attempts itself, and says what fails. @throws UsageError for a bad `--retries` */
export function flagsOfWatch(flags: Flags): Flags {
  givenSetting<number>(settings.retries, flags, {});
  return { ...flags, retries: '0' };
}

/**
 * Reads again and again: redrawn in place on a terminal, one line a change elsewhere.
 *
 * @throws ResultError `threshold`; ServiceError when the credential is refused, and what else time does not mend. A
 * signal ends it quietly, with the signal's exit code
 */
export async function watchQuotas(watch: Watch, context: WatchContext): Promise<void> {
  try {
    if (canRedraw(context)) await (await import('./watch-screen.js')).watchOnScreen(watch, context);
    else await (await import('./watch-lines.js')).watchInLines(watch, context);
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    context.exitWith(exitCodes[error.code]);
  }
}

// A terminal that cannot move its cursor is no better than a pipe, and a trace would be drawn over.
function canRedraw({ streams, system, flags }: WatchContext): boolean {
  const traced = flags().verbose === true && streams.stderr.isTerminal;
  return streams.stdout.isTerminal && system.env['TERM'] !== 'dumb' && !traced;
}

/** What is known at one moment: the last reading, and why there is no newer one where reading failed. */
export interface Moment {
  readonly reading?: Reading | undefined;
  /** When the reading was made, in milliseconds since the epoch. */
  readonly readAt?: number | undefined;
  readonly failure?: OrgctlError | undefined;
}

// What time may mend. Another answer would be the same next time.
const passing: ReadonlySet<ErrorCode> = new Set(['network', 'server', 'rate_limited']);

/** A moment after each attempt to read. Ends by throwing: what time does not mend, or the reason of the signal. */
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
