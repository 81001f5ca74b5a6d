import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import type { Observer } from '../../proxy/exchange.js';
import { type ExchangeEntry, ExchangeLog } from '../../proxy/exchange-log.js';
import { unescapeRefusal } from '../../signing/mistakes/visible-escapes.js';
import { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import { LineQueue } from '../../terminal/output/line-queue.js';
import { sanitize, sanitizeJson } from '../../terminal/text/sanitize.js';
import type { BaseUrl } from '../../text/base-url.js';
import { countNoun } from '../../text/count-noun.js';
import { whyRefused } from '../local/refusal-lines.js';
import { openKnownKeys } from './known-keys.js';

interface WatchOptions {
  readonly baseUrl: BaseUrl;
  readonly isJson: boolean;
  readonly record: string | undefined;
  /** Whether to keep the last exchanges in memory. */
  readonly hasJournal: boolean;
}

const mebibyte = 1024 * 1024;

/** Bytes of bodies to keep: a signature check needs the request's body, and the error in the response. */
const keptToExplain = { request: mebibyte, response: 16_384 };
const keptToRead = { request: mebibyte, response: mebibyte };

/** Milliseconds to gather lines, because writing each one separately would take too much processor time. */
const gathering = 20;

/** Opens a proxy's log on stderr, its journal and its recording. @throws UsageError for a bad recording */
export async function openWatch(
  { baseUrl: { origin, prefix }, isJson, record, hasJournal }: WatchOptions,
  context: Context,
) {
  const { quiet = false, verbose = false } = context.flags();
  const toLine = (event: string, message: string) =>
    isJson ? sanitizeJson(JSON.stringify({ event, message })) : sanitize(`${event}: ${message}`);
  const describeDropped = (dropped: number) =>
    toLine('warning', `${countNoun(dropped, 'log line')} dropped because stderr was not being read`);
  const lines = new LineQueue(context.system, describeDropped, gathering);
  const print = (entry: ExchangeEntry) => {
    if (quiet) return;
    if (isJson) lines.write(sanitizeJson(JSON.stringify(unescapeRefusal(entry))));
    else for (const line of describeEntry(entry, verbose)) lines.write(sanitize(line));
  };
  const notify = (event: string, message: string) => lines.write(toLine(event, message));
  const kept = hasJournal ? await import('./console.js') : undefined;
  const journal = hasJournal ? new (await import('../../server/journal/journal.js')).Journal() : undefined;
  const explaining = {
    origin,
    budget: new ExplainingBudget(),
    findKey: openKnownKeys(context),
  };
  const log = new ExchangeLog(explaining, (entry, exchange, refusal) => {
    print(entry);
    if (journal !== undefined) kept?.noteExchange(journal, entry, exchange, refusal);
  });
  const recorder = record === undefined ? undefined : await import('../../proxy/recording.js');
  const path = resolve(context.system.cwd(), record ?? '');
  const warn = (message: string) => notify('warning', message);
  const recording = recorder && new recorder.Recording(path, `${origin}${prefix}`, warn);
  const observers: Observer[] = [];
  if (hasJournal || !quiet) observers.push((exchange) => log.observe(exchange));
  if (recording) observers.push((exchange) => recording.observe(exchange));
  return {
    observers,
    kept: recording ? keptToRead : keptToExplain,
    journal,
    notify,
    /** Waits for pending reports. */
    async close() {
      await log.settle();
      recording?.close();
      lines.close();
    },
  };
}

function describeEntry(entry: ExchangeEntry, isVerbose: boolean): string[] {
  const { time, method, target, status, keyId, milliseconds, check, canonical, signed } = entry;
  const who = keyId === undefined ? '' : ` ${keyId}`;
  const head = `${time.slice(11, 19)} ${method} ${target} ${status ?? 'dropped'}${who}`;
  if (check === undefined) return [`${head} ${milliseconds} ms${describeEnd(entry)}`];
  const why = `${head}: ${check}: ${whyRefused(entry)}`;
  if (!isVerbose || canonical === undefined) return [why];
  const shown = [why, `  expected:        ${canonical}`];
  return signed === undefined ? shown : [...shown, `  what was signed: ${signed}`];
}

function describeEnd({ outcome, status, reason, problem, fault }: ExchangeEntry): string {
  const why = reason ?? problem ?? (fault && `by the fault rule ${fault}`);
  if (why === undefined) return '';
  if (outcome === 'cut-off') return status === null ? `: ${why}` : `: dropped: ${why}`;
  return outcome === 'passed' ? `: ${why}` : `: ${outcome}: ${why}`;
}
