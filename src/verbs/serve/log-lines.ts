import type { ChalkInstance } from 'chalk';
import type { Context } from '../../cli/context.js';
import { UsageError } from '../../errors/errors.js';
import type { Log, LogEntry, LoggedRequests } from '../../server/index.js';
import { unescapeRefusal } from '../../signing/mistakes/visible-escapes.js';
import { paintParts } from '../../terminal/formats/lines.js';
import { LineQueue } from '../../terminal/output/line-queue.js';
import { decideColor, loadChalk } from '../../terminal/text/color.js';
import { sanitize, sanitizeJson } from '../../terminal/text/sanitize.js';
import { countNoun } from '../../text/count-noun.js';
import { describeRequest, showLocalTime } from '../refusal-lines.js';

export type LogFormat = 'text' | 'json';

export function parseLogFormat(text: string): LogFormat {
  if (text === 'text' || text === 'json') return text;
  throw new UsageError(`--log ${text}: not a log format`, { hint: 'text or json' });
}

export interface OpenLog {
  readonly log: Log;
  /** Writes as much as stderr accepts without waiting; drops the rest. */
  close(): void;
}

/** Writes refusals and notices as text, or all requests and notices as JSON lines; with `--quiet`, only errors. */
export async function openLog(
  { system, flags, settings, streams }: Pick<Context, 'system' | 'flags' | 'settings' | 'streams'>,
  format: LogFormat,
): Promise<OpenLog> {
  const { quiet = false, verbose = false } = flags();
  const isColored = decideColor(settings().color().value, system.env, streams.stderr);
  const chalk = isColored ? await loadChalk() : undefined;
  const lineOf = (entry: LogEntry) =>
    format === 'json'
      ? sanitizeJson(JSON.stringify(entry.event === 'request' ? unescapeRefusal(entry) : entry))
      : formatEntry(entry, verbose, chalk);
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
  const message = `${countNoun(count, 'log line')} dropped because stderr was not being read`;
  return { event: 'warning', time: new Date().toISOString(), message };
}

export function loggedAs(format: LogFormat): LoggedRequests {
  return format === 'json' ? 'all' : 'refused';
}

function formatEntry(
  entry: LogEntry,
  isVerbose: boolean,
  chalk: ChalkInstance | undefined,
): string | undefined {
  if (entry.event !== 'request')
    return sanitize(`${showLocalTime(entry.time)}  ${entry.event}: ${entry.message}`);
  if (entry.check === undefined) return undefined;
  return paintParts(describeRequest({ ...entry, refusal: entry }, { isVerbose }), chalk);
}
