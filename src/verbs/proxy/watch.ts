import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import type { Observer } from '../../proxy/exchange.js';
import { ExchangeLog, type LogExchange } from '../../proxy/explain/exchange-log.js';
import type { ProxyOptions } from '../../proxy/proxy-server.js';
import type { Journal } from '../../server/journal/journal.js';
import { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import { processorTime } from '../../terminal/process/process-system.js';
import type { BaseUrl } from '../../text/base-url.js';
import { type ExchangeLines, openExchangeLines } from './exchange-lines.js';
import { openKnownKeys } from './known-keys.js';

export interface Watch extends Required<Pick<ProxyOptions, 'observers' | 'kept'>> {
  readonly journal: Journal | undefined;
  readonly notify: (event: string, message: string) => void;
  /** Waits for pending reports. */
  close(): Promise<void>;
  /** Closes for a proxy that did not start. */
  discard(): void;
}

export interface WatchOptions {
  readonly baseUrl: BaseUrl;
  readonly isJson: boolean;
  readonly record?: string | undefined;
  /** Whether to keep the last exchanges in memory. */
  readonly hasJournal: boolean;
}

type WatchContext = Pick<Context, 'system' | 'signal' | 'settings' | 'profiles' | 'flags'>;

const mebibyte = 1024 * 1024;

/** Bytes of bodies to keep: a signature check needs the request's body, and the error in the response. */
const keptToExplain = { request: mebibyte, response: 16_384 };
const keptToRead = { request: mebibyte, response: mebibyte };

/** Opens a proxy's log and other observers. @throws UsageError for a bad recording; ConfigError for a bad dialect */
export async function openWatch(options: WatchOptions, context: WatchContext): Promise<Watch> {
  const { baseUrl, record, isJson, hasJournal } = options;
  const lines = openExchangeLines(context, isJson);
  const budget = new ExplainingBudget(() => performance.now(), processorTime);
  const dialect = (await context.settings().dialect())?.value;
  const explaining = {
    origin: baseUrl.origin,
    budget,
    findKey: openKnownKeys(context),
    unsignedPrefix: isUnsigned(dialect) ? baseUrl.prefix : undefined,
  };
  const journal = hasJournal ? await openJournal() : undefined;
  const log = new ExchangeLog(explaining, (entry, exchange, refusal) => {
    lines.log(entry);
    journal?.note(entry, exchange, refusal);
  });
  const recording = record === undefined ? undefined : await openRecording(record, options, lines, context);
  const isLogged = hasJournal || context.flags().quiet !== true;
  const watchers: readonly ({ readonly observe: Observer } | undefined)[] = [
    isLogged ? log : undefined,
    recording,
  ];
  return {
    observers: watchers.flatMap((each) => (each ? [(exchange) => each.observe(exchange)] : [])),
    kept: record !== undefined ? keptToRead : keptToExplain,
    journal: journal?.journal,
    notify: (event, message) => lines.tell(event, message),
    async close() {
      await log.settle();
      recording?.close();
      lines.close();
    },
    discard() {
      recording?.close();
      lines.close();
    },
  };
}

async function openJournal() {
  const { openJournal: open } = await import('../../server/watched/open-watch-console.js');
  const { noteExchange } = await import('./journal.js');
  const journal = open();
  const note = (...[entry, exchange, refusal]: Parameters<LogExchange>) =>
    noteExchange(journal, entry, exchange, refusal);
  return { journal, note };
}

async function openRecording(
  path: string,
  { baseUrl: { origin, prefix } }: WatchOptions,
  lines: ExchangeLines,
  { system }: WatchContext,
) {
  const { Recording } = await import('../../proxy/record/recording.js');
  const warn = (message: string) => lines.tell('warning', message);
  return new Recording(resolve(system.cwd(), path), `${origin}${prefix}`, warn);
}

function isUnsigned(dialect: unknown): boolean {
  return typeof dialect === 'object' && dialect !== null && Reflect.get(dialect, 'signedBasePath') === false;
}
