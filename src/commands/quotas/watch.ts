import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../cli/context.js';
import { exits } from '../../cli/exit.js';
import { type ErrorCode, InterruptedError, OrgctlError, UsageError } from '../../errors/errors.js';
import { watchReader } from '../../terminal/output/reader-watch.js';
import {
  explainDuration,
  formatDuration,
  formatRounded,
  longestTimer,
  parseDuration,
} from '../../text/duration.js';
import { assertBelow, type QuotaReading } from './reading.js';
import { quotaView, type ShownRow } from './rows.js';

const defaultInterval = 5000;
// A shorter interval only burdens the service, which may limit the rate.
const shortestInterval = 100;

export function parseInterval(given: string | true | undefined): number | undefined {
  if (given === undefined || given === true) return given && defaultInterval;
  const interval = parseDuration(given);
  if (interval !== undefined && interval >= shortestInterval) return interval;
  throw new UsageError(`--watch: ${interval === undefined ? explainDuration(given) : 'at least 100ms'}`);
}

export interface Watch {
  readonly read: () => Promise<QuotaReading>;
  /** Milliseconds from the end of one reading to the start of the next. */
  readonly interval: number;
  readonly threshold: number | undefined;
  readonly areProfiles: boolean;
}

type TimedRow = ShownRow & { readonly time: string };

/** Watches until a signal, and exits with the code of that signal. @throws ResultError `threshold`; permanent failures */
export async function watchQuotas(watch: Watch, context: Context): Promise<void> {
  const { streams, system } = context;
  const end = watchReader(system, streams);
  try {
    const redraws = streams.stdout.isTerminal && system.env['TERM'] !== 'dumb' && !context.flags().verbose;
    await (redraws ? redraw(watch, context) : printChanges(watch, context));
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    context.exitWith(exits[error.code][0]);
  } finally {
    end();
  }
}

async function redraw(watch: Watch, context: Context): Promise<void> {
  const printer = await context.printer();
  const view = quotaView<ShownRow>({ profile: watch.areProfiles, error: watch.areProfiles });
  const every = `every ${formatDuration(watch.interval)}; Ctrl-C stops`;
  for await (const { rows, value } of readings(watch, context)) {
    await context.streams.stdout.write('\u001b[H\u001b[2J');
    await printer.value(value, rows, view);
    await context.note(
      `read at ${new Date(context.clock()).toLocaleTimeString(undefined, { hourCycle: 'h23' })}, ${every}`,
    );
    assertBelow(watch.threshold, rows);
  }
}

/** Prints every row once, and again when it changes. */
async function printChanges(watch: Watch, context: Context): Promise<void> {
  const printer = await context.printer();
  const view = quotaView<TimedRow>({ time: true, profile: watch.areProfiles, error: watch.areProfiles });
  let printed = new Set<string>();
  async function* changes(): AsyncGenerator<readonly TimedRow[]> {
    for await (const { rows } of readings(watch, context)) {
      const time = new Date(context.clock()).toISOString();
      yield rows.filter((row) => !printed.has(JSON.stringify(row))).map((row) => ({ time, ...row }));
      printed = new Set(rows.map((row) => JSON.stringify(row)));
      assertBelow(watch.threshold, rows);
    }
  }
  await printer.follow(changes(), view);
}

// Possibly temporary failures; others would repeat.
const passing: ReadonlySet<ErrorCode> = new Set(['network', 'server', 'rate_limited']);

/** Reads again and again; warns of a temporary failure once. @throws permanent failures and the signal's reason */
async function* readings(
  { read, interval }: Watch,
  { signal, printer }: Context,
): AsyncGenerator<QuotaReading, never> {
  let failing: string | undefined;
  while (true) {
    const reading = await read().catch((error: unknown) => {
      if (error instanceof OrgctlError && passing.has(error.code)) return error;
      throw error;
    });
    const failure = reading instanceof OrgctlError ? reading : reading.unread;
    const pause = Math.min(Math.max(interval, (failure?.details.retryAfter ?? 0) * 1000), longestTimer);
    const when = pause > interval ? ` in ${formatRounded(pause)}` : '';
    if (failure !== undefined && failure.message !== failing)
      await (await printer()).warn(`${failure.message}; continuing${when}`);
    failing = failure?.message;
    if (!(reading instanceof OrgctlError)) yield reading;
    await wait(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
