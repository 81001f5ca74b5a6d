import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import type { Log, LogEntry, LoggedRequests, RequestEntry } from '../../server/index.js';
import { unescapeRefusal } from '../../signing/mistakes/visible-escapes.js';
import { LineQueue } from '../../terminal/output/line-queue.js';
import { sanitize, sanitizeJson } from '../../terminal/text/sanitize.js';
import { whyRefused } from '../refusal-text.js';

export type LogFormat = 'text' | 'json';

export function parseLogFormat(text: string): LogFormat {
  if (text === 'text' || text === 'json') return text;
  throw new UsageError(`--log ${text}: not a format of the log`, { hint: 'text or json' });
}

export interface OpenLog {
  readonly log: Log;
  /** Writes what stderr's reader takes at once; drops the rest. */
  close(): void;
}

/** Logs to stderr: text for refusals and notices, JSON lines for all requests. `--quiet` leaves only server errors. */
export function openLog({ system, flags }: Pick<Context, 'system' | 'flags'>, format: LogFormat): OpenLog {
  const quiet = flags().quiet === true;
  const lineOf = (entry: LogEntry) =>
    format === 'json'
      ? sanitizeJson(JSON.stringify(entry.event === 'request' ? unescapeRefusal(entry) : entry))
      : formatEntry(entry);
  const lines = new LineQueue(system, (dropped) => lineOf(droppedLines(dropped)) ?? '');
  return {
    log(entry) {
      if (quiet && entry.event !== 'error') return;
      const line = lineOf(entry);
      if (line !== undefined) lines.write(line);
    },
    close: () => lines.close(),
  };
}

function droppedLines(count: number): LogEntry {
  const message = `${count} lines of the log were dropped: nobody read them`;
  return { event: 'warning', time: new Date().toISOString(), message };
}

export function loggedAs(format: LogFormat): LoggedRequests {
  return format === 'json' ? 'all' : 'refused';
}

function formatEntry(entry: LogEntry): string | undefined {
  if (entry.event !== 'request') return sanitize(`${formatTime(entry)} ${entry.event}: ${entry.message}`);
  return entry.check === undefined ? undefined : sanitize(refusalText(entry));
}

function refusalText(entry: RequestEntry): string {
  const { method, target, status, keyId, check, canonical } = entry;
  const who = keyId === undefined ? '' : ` ${keyId}`;
  const what = `${formatTime(entry)} ${method} ${target} ${status ?? 'cut off'}${who}: ${check}: ${whyRefused(entry)}`;
  return canonical === undefined ? what : `${what}; what is to be signed: ${canonical}`;
}

/** The time of day is enough within a session. */
function formatTime({ time }: LogEntry): string {
  return time.slice(11, 19);
}
