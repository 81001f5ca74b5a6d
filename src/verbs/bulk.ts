import type { Context } from '../cli/context.js';
import { reportOf } from '../cli/error-report.js';
import { InterruptedError, ResultError, UsageError } from '../errors/errors.js';
import type { View } from '../terminal/output/printer.js';
import { attemptInStages, type Outcome } from './attempts.js';

/** One entry of bulk work. */
export interface Entry {
  /** What names the entry in its row, such as `{ id }`. */
  readonly label: BulkRow;
  /** Does it; what it returns joins the row. */
  readonly run: () => Promise<BulkRow>;
}

/**
 * One row of bulk work: the label and `result`, which is what `run` returned, or `failed`, `outcome unknown` or `not
 * tried`; these three have an `error`, the first two also a `code`.
 */
export type BulkRow = Readonly<Record<string, unknown>>;

export interface BulkOptions {
  /** For progress and the final message: `deleting teams`. */
  readonly what: string;
  readonly view: View<BulkRow>;
  /** What to do about entries that were not done. */
  readonly hint?: string | undefined;
  /** Whether entries that an interruption left untried get rows, too; otherwise they are only counted. */
  readonly everyRow?: boolean;
}

/** Entries that run concurrently once the stage before has finished. */
export interface Stage {
  /** How many there are, if known beforehand. */
  readonly count: number;
  readonly entries: () => Promise<readonly Entry[]>;
}

const notDone = ['failed', 'outcome unknown', 'not tried'] as const;

/**
 * Runs entries concurrently and prints a row for each, in order.
 *
 * @throws ResultError `partial` when some failed; InterruptedError when a signal ended it, after the rows of what had
 * started
 */
export function runBulk(
  entries: readonly Entry[],
  options: BulkOptions,
  context: Pick<Context, 'printer' | 'progress' | 'signal'>,
): Promise<void> {
  return runStages([{ count: entries.length, entries: async () => entries }], options, context);
}

/** As `runBulk`, stage after stage. */
export async function runStages(
  stages: readonly Stage[],
  options: BulkOptions,
  context: Pick<Context, 'printer' | 'progress' | 'signal'>,
): Promise<void> {
  const printer = await context.printer();
  const tally = new Tally(stages.reduce((sum, { count }) => sum + count, 0));
  await printer.list(bulkRows(stages, options, tally, context), options.view).catch((error: unknown) => {
    // A query that does not apply to the rows; by then all the work is done.
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message, { hint: `the work was done: ${tally.summary()}`, cause: error });
  });
  const hint = options.hint ?? 'the rows above say which and why';
  const { reason } = context.signal;
  if (reason instanceof InterruptedError) {
    throw new InterruptedError(reason.signal, { hint: `${tally.summary()}; ${hint}` });
  }
  if (tally.notDone === 0) return;
  throw new ResultError('partial', `${options.what}: ${tally.summary()}`, { hint });
}

/** How many entries had which result. */
class Tally {
  readonly total: number;
  readonly #counts = new Map<unknown, number>();

  constructor(total: number) {
    this.total = total;
  }

  count({ result }: BulkRow): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }

  get notDone(): number {
    return notDone.reduce((sum, result) => sum + (this.#counts.get(result) ?? 0), 0);
  }

  summary(): string {
    const counts = [...this.#counts].map(([result, count]) => `${count} ${result}`);
    return counts.length === 0 ? `none of ${this.total} done` : `${counts.join(', ')} of ${this.total}`;
  }
}

async function* bulkRows(
  stages: readonly Stage[],
  { what, everyRow = false }: BulkOptions,
  tally: Tally,
  context: Pick<Context, 'progress' | 'signal'>,
): AsyncGenerator<BulkRow> {
  const progress = await context.progress({ label: what, total: tally.total });
  const labels: BulkRow[] = [];
  const tasks = stages.map(({ entries }) => async () => {
    const made = await entries();
    labels.push(...made.map(({ label }) => label));
    return made.map(
      ({ run }) =>
        () =>
          run().finally(() => progress.tick()),
    );
  });
  try {
    let at = 0;
    for await (const outcome of attemptInStages<BulkRow>(tasks)) {
      const row = { ...labels[at++], ...rowOf(outcome) };
      tally.count(row);
      // After an interruption there are rows for what was done so far; the final message counts the rest.
      if (everyRow || outcome.kind !== 'not tried' || !context.signal.aborted) yield row;
    }
  } finally {
    progress.done();
  }
}

function rowOf(outcome: Outcome<BulkRow>): BulkRow {
  switch (outcome.kind) {
    case 'done':
      return outcome.result;
    case 'not tried':
      return { result: 'not tried', error: outcome.reason };
    default: {
      const { code, message } = reportOf(outcome.error);
      return { result: outcome.kind === 'failed' ? 'failed' : 'outcome unknown', code, error: message };
    }
  }
}
