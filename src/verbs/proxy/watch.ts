import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import type { Comparison } from '../../proxy/compare/comparison.js';
import type { Observer } from '../../proxy/exchange.js';
import { ExchangeLog } from '../../proxy/explain/exchange-log.js';
import type { ProxyOptions } from '../../proxy/proxy-server.js';
import { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import { processorTime } from '../../terminal/process/process-system.js';
import type { BaseUrl } from '../../text/base-url.js';
import { type ExchangeLines, openExchangeLines } from './exchange-lines.js';
import { openKnownKeys } from './known-keys.js';

/** Who looks at the exchanges of a proxy. */
export interface Watch extends Required<Pick<ProxyOptions, 'observers' | 'kept'>> {
  /** Waits for what is still to be told, and sums up. */
  close(): Promise<void>;
  /** For a proxy that did not start. */
  discard(): void;
}

export interface WatchOptions {
  readonly baseUrl: BaseUrl;
  readonly isJson: boolean;
  readonly compare?: boolean | undefined;
  /** The path of a new file. */
  readonly record?: string | undefined;
}

type WatchContext = Pick<Context, 'system' | 'signal' | 'settings' | 'profiles' | 'flags'>;

const mebibyte = 1024 * 1024;

/** For the signature of a request its whole body is needed, of a refusal the beginning. */
const keptToExplain = { request: mebibyte, response: 4096 };
const keptToRead = { request: mebibyte, response: mebibyte };

/**
 * Opens the log of a proxy with the reasons of refusals, and what else is to look at the exchanges.
 * @throws UsageError for a file that cannot be made, ConfigError for a dialect that cannot be used
 */
export async function openWatch(options: WatchOptions, context: WatchContext): Promise<Watch> {
  const { baseUrl, compare, record, isJson } = options;
  const lines = openExchangeLines(context, isJson);
  const budget = new ExplainingBudget(() => performance.now(), processorTime);
  const dialect = (await context.settings().dialect())?.value;
  const explaining = {
    origin: baseUrl.origin,
    budget,
    findKey: openKnownKeys(context),
    unsignedPrefix: isUnsigned(dialect) ? baseUrl.prefix : undefined,
  };
  const log = new ExchangeLog(explaining, (entry) => lines.log(entry));
  const comparison = compare ? await openComparison(dialect, baseUrl, lines) : undefined;
  const recording = record === undefined ? undefined : await openRecording(record, lines, context);
  const watchers: readonly ({ readonly observe: Observer } | undefined)[] = [log, comparison, recording];
  return {
    observers: watchers.flatMap((each) => (each ? [(exchange) => each.observe(exchange)] : [])),
    kept: compare || record !== undefined ? keptToRead : keptToExplain,
    async close() {
      await log.settle();
      if (comparison !== undefined) lines.tell('compared', summarize(comparison));
      recording?.close();
      lines.close();
    },
    discard() {
      recording?.discard();
      lines.close();
    },
  };
}

async function openComparison(
  dialect: unknown,
  { prefix }: BaseUrl,
  lines: ExchangeLines,
): Promise<Comparison> {
  const { Comparison } = await import('../../proxy/compare/comparison.js');
  return new Comparison(dialect, prefix, (difference) => lines.tell('difference', difference));
}

async function openRecording(path: string, lines: ExchangeLines, { system }: WatchContext) {
  const { Recording } = await import('../../proxy/record/recording.js');
  return new Recording(resolve(system.cwd(), path), (message) => lines.tell('warning', message));
}

function summarize({ count: { compared, alike, differences } }: Comparison): string {
  return `${compared} answers, ${alike} as described, ${differences} differences`;
}

/** Whether a dialect says that signatures do not cover the base path. */
function isUnsigned(dialect: unknown): boolean {
  return typeof dialect === 'object' && dialect !== null && Reflect.get(dialect, 'signedBasePath') === false;
}
