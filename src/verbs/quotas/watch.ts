import { exitCodes } from '../../cli/exit.js';
import { InterruptedError, UsageError } from '../../errors/errors.js';
import { type Flags, givenSetting, settings } from '../../profiles/settings/settings.js';
import { explainDuration, formatDuration, parseDuration } from '../../text/duration.js';
import type { Watch, WatchContext } from './moments.js';

const defaultInterval = 5000;
// A shorter interval only burdens the service, which may limit the rate.
const shortestInterval = 100;

/** In milliseconds; `undefined` without `--watch`. @throws UsageError if it is invalid or too short */
export function parseInterval(given: string | true | undefined): number | undefined {
  if (given === undefined || given === true) return given && defaultInterval;
  const interval = parseDuration(given);
  if (interval !== undefined && interval >= shortestInterval) return interval;
  if (interval === undefined) throw new UsageError(`--watch: ${explainDuration(given)}`);
  throw new UsageError(
    `--watch ${given}: the interval must be at least ${formatDuration(shortestInterval)}`,
    {
      hint: `for example --watch 30s; --watch without an interval means ${formatDuration(defaultInterval)}`,
    },
  );
}

/** Turns retries off, because a watch reads again anyway. @throws UsageError for a bad `--retries` */
export function flagsOfWatch(flags: Flags): Flags {
  givenSetting<number>(settings.retries, flags, {});
  return { ...flags, retries: '0' };
}

/** Watches until a signal, and exits with the code of that signal. @throws ResultError `threshold`; permanent failures */
export async function watchQuotas(watch: Watch, context: WatchContext): Promise<void> {
  try {
    if (canRedraw(context)) await (await import('./watch-screen.js')).watchOnScreen(watch, context);
    else await (await import('./watch-lines.js')).watchInLines(watch, context);
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    context.exitWith(exitCodes[error.code]);
  }
}

// A dumb terminal is like a pipe, and drawing would overwrite a trace.
function canRedraw({ streams, system, flags }: WatchContext): boolean {
  const traced = flags().verbose === true && streams.stderr.isTerminal;
  return streams.stdout.isTerminal && system.env['TERM'] !== 'dumb' && !traced;
}
