import type { Context } from '../../cli/context.js';
import type { ExchangeEntry } from '../../proxy/explain/exchange-log.js';
import { unescapeRefusal } from '../../signing/mistakes/visible-escapes.js';
import { LineQueue } from '../../terminal/output/line-queue.js';
import { sanitize, sanitizeJson } from '../../terminal/text/sanitize.js';
import { countNoun } from '../../text/count-noun.js';
import { whyRefused } from '../refusal-text.js';

export interface ExchangeLines {
  log(entry: ExchangeEntry): void;
  /** Writes a line that is not an exchange, such as a difference; `event` names it. */
  tell(event: string, text: string): void;
  /** Writes as much as stderr accepts without waiting; drops the rest. */
  close(): void;
}

/** Milliseconds to gather lines, because writing each one separately would take too much processor time. */
const gathering = 20;

/** Lines for people, or JSON lines like the log of `serve`; `--quiet` hides only exchanges. */
export function openExchangeLines(
  { system, flags }: Pick<Context, 'system' | 'flags'>,
  isJson: boolean,
): ExchangeLines {
  const { quiet = false, verbose = false } = flags();
  const toLine = (event: string, message: string) =>
    isJson ? sanitizeJson(JSON.stringify({ event, message })) : sanitize(`${event}: ${message}`);
  const describeDropped = (dropped: number) =>
    toLine('warning', `${countNoun(dropped, 'log line')} dropped because stderr was not being read`);
  const lines = new LineQueue(system, describeDropped, gathering);
  return {
    log(entry) {
      if (quiet) return;
      if (isJson) lines.write(sanitizeJson(JSON.stringify(unescapeRefusal(entry))));
      else for (const line of describeEntry(entry, verbose)) lines.write(sanitize(line));
    },
    tell: (event, text) => lines.write(toLine(event, text)),
    close: () => lines.close(),
  };
}

function describeEntry(entry: ExchangeEntry, isVerbose: boolean): string[] {
  const { time, method, target, status, keyId, milliseconds, check, canonical, signed } = entry;
  const who = keyId === undefined ? '' : ` ${keyId}`;
  const head = `${time.slice(11, 19)} ${method} ${target} ${status ?? 'dropped'}${who}`;
  if (check === undefined) return [`${head} ${milliseconds} ms${describeEnd(entry)}`];
  const why = `${head}: ${check}: ${whyRefused(entry)}`;
  if (!isVerbose || canonical === undefined) return [why];
  const shown = [`  expected:        ${canonical}`];
  return [why, ...shown, ...(signed === undefined ? [] : [`  what was signed: ${signed}`])];
}

function describeEnd({ outcome, status, problem, reason, fault }: ExchangeEntry): string {
  const why = reason ?? problem;
  const isDropped = outcome === 'cut-off';
  const ended =
    outcome === 'passed' || (isDropped && status === null) ? '' : isDropped ? 'dropped: ' : `${outcome}: `;
  if (why !== undefined) return `: ${ended}${why}`;
  return fault === undefined ? '' : `: by the fault rule ${fault}`;
}
