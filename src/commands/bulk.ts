import type { Context } from '../context.js';
import { type ErrorCode, InterruptedError, ResultError } from '../errors.js';
import { reportOf } from '../exit.js';
import type { View } from '../terminal/printer.js';

/** One entry of bulk work. */
export interface Entry {
  /** What names the entry in its row, such as `{ id }`. */
  readonly label: Readonly<Record<string, unknown>>;
  /** Does it; what it returns joins the row. */
  readonly run: () => Promise<Readonly<Record<string, unknown>>>;
}

/** One row of bulk work: the label, `result`, and for a failure `code` and `error`. */
export type BulkRow = Readonly<Record<string, unknown>>;

export interface BulkOptions {
  /** What is going on, for progress and the last message: `deleting connections`. */
  readonly what: string;
  readonly view: View<BulkRow>;
}

type BulkContext = Pick<Context, 'printer' | 'progress' | 'signal'>;

/** Requests under way at once: enough to hide a round trip, few enough for any service. */
const concurrency = 8;

// After one of these every further entry would fail in the same way, or nobody wants it any more.
const final: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'forbidden',
  'quota_exceeded',
  'config',
  'internal',
  'interrupted',
  'terminated',
]);

/**
 * Runs entries side by side and prints a row for each, in their order. A single entry is no bulk: its error is thrown
 * as it is. Once an error says that all others would fail too, the rest is not tried and its rows say so.
 *
 * @throws ResultError `partial` when some failed; InterruptedError when a signal ended it
 */
export async function runBulk(
  entries: readonly Entry[],
  options: BulkOptions,
  context: BulkContext,
): Promise<void> {
  const printer = await context.printer();
  const [only] = entries;
  if (only !== undefined && entries.length === 1) {
    const row = { ...only.label, ...(await only.run()) };
    return printer.value(row, [row], options.view);
  }
  const tally = { failed: 0 };
  await printer.list(bulkRows(entries, options.what, tally, context), options.view);
  if (context.signal.reason instanceof InterruptedError) throw context.signal.reason;
  if (tally.failed === 0) return;
  throw new ResultError('partial', `${options.what}: ${tally.failed} of ${entries.length} were not done`, {
    hint: 'the rows above say which and why',
  });
}

async function* bulkRows(
  entries: readonly Entry[],
  what: string,
  tally: { failed: number },
  context: BulkContext,
): AsyncGenerator<BulkRow> {
  const { pMapIterable } = await import('p-map');
  const progress = await context.progress({ label: what, total: entries.length });
  let stopped: string | undefined;
  const attempt = async ({ label, run }: Entry): Promise<BulkRow> => {
    if (stopped !== undefined) return { ...label, result: 'not tried', error: stopped };
    try {
      return { ...label, ...(await run()) };
    } catch (error) {
      const { code, message } = reportOf(error);
      if (final.has(code)) stopped = `after: ${message}`;
      return { ...label, result: 'failed', code, error: message };
    } finally {
      progress.tick();
    }
  };
  try {
    for await (const row of pMapIterable(entries, attempt, { concurrency })) {
      if (row['result'] === 'failed' || row['result'] === 'not tried') tally.failed += 1;
      yield row;
    }
  } finally {
    progress.done();
  }
}
