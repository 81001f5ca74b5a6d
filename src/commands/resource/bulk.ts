import type { Context } from '../../cli/context.js';
import { toReport } from '../../cli/error-report.js';
import type { Advice } from '../../errors/advice.js';
import { InterruptedError, ResultError, ServiceError, UsageError, withHint } from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { countNoun } from '../../text/count-noun.js';
import { type AttemptOutcome, Attempts } from './attempts.js';
import { isUnwritten } from './print.js';

export interface BulkEntry {
  readonly label: BulkRow;
  readonly run: () => Promise<BulkRow>;
}

/** `label` with what `run` returns; if that fails, with a `result` from `notDone`, an `error` and maybe a `code`. */
export type BulkRow = Readonly<Record<string, unknown>>;

export interface BulkOptions {
  /** Progress label, such as `deleting teams`. */
  readonly what: string;
  /** For the final message. */
  readonly noun: { readonly singular: string; readonly plural: string };
  readonly view: View<BulkRow>;
  /** What to do if not everything was done. */
  readonly hint?: string | undefined;
  readonly next?: readonly string[] | undefined;
  /** The number of entries that no further run can do, and the advice if only these are left. */
  readonly byHand?: { readonly count: number; readonly advice: Advice } | undefined;
  /** Prints rows even for entries left untried by an interruption; by default only counts them. */
  readonly everyRow?: boolean;
}

export type BulkContext = Pick<Context, 'printer' | 'progress' | 'signal' | 'streams' | 'note'>;

const notDone = ['failed', 'outcome unknown', 'not tried'];

/** Prints a row for each entry, in order. @throws ResultError `partial` or InterruptedError, after the rows */
export function runBulk(
  entries: readonly BulkEntry[],
  options: BulkOptions,
  context: BulkContext,
): Promise<void> {
  return runStages([entries], options, context);
}

/** Like `runBulk`; the entries of a stage begin when those of the one before have ended. */
export async function runStages(
  stages: readonly (readonly BulkEntry[])[],
  options: BulkOptions,
  context: BulkContext,
): Promise<void> {
  context.streams.outlastReader();
  const printer = await context.printer();
  const total = stages.flat().length;
  const tally = new Tally(total, options.noun);
  const { hint = 'see the rows above', next, byHand } = options;
  await printer.list(bulkRows(stages, options, tally, context), options.view).catch((error: unknown) => {
    if (isUnwritten(error)) throw withHint(error, { hint: `${tally.summary()}; ${hint}`, next });
    if (!(error instanceof UsageError)) throw error;
    // `--query` or `--columns` does not fit the rows, which are printed only after the work.
    const details = { retryable: false, hint: `the work was done: ${tally.describe()}`, cause: error };
    throw tally.notDone > 0
      ? new ResultError('partial', error.message, details)
      : new ServiceError('server', error.message, details);
  });
  const { reason } = context.signal;
  if (reason instanceof InterruptedError) {
    throw new InterruptedError(reason.signal, { hint: `${tally.summary()}; ${hint}`, next });
  }
  if (tally.notDone === 0) {
    if (total > 1 && context.streams.stderr.isTerminal) await context.note(tally.describe());
    return;
  }
  const advice = tally.notDone === byHand?.count ? byHand.advice : (adviseRefused(tally) ?? { hint, next });
  throw new ResultError('partial', tally.summary(), advice);
}

/** The advice of the first error, if the service refused everything and would refuse the same command again. */
function adviseRefused({ failures, isNoneDone }: Tally): Advice | undefined {
  const refusals = ['unauthenticated', 'forbidden', 'quota_exceeded'];
  const isRefused = failures.every((one) => one instanceof ServiceError && refusals.includes(one.code));
  const [first] = failures;
  if (!isNoneDone || !isRefused || !(first instanceof ServiceError)) return undefined;
  const { hint, next } = first.details;
  return hint === undefined ? undefined : { hint, next };
}

/** Counts the results of rows. */
class Tally {
  readonly failures: unknown[] = [];
  readonly #total: number;
  readonly #noun: BulkOptions['noun'];
  readonly #counts = new Map<unknown, number>();

  constructor(total: number, noun: BulkOptions['noun']) {
    this.#total = total;
    this.#noun = noun;
  }

  count({ result }: BulkRow): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }

  get notDone(): number {
    return notDone.reduce((sum, result) => sum + (this.#counts.get(result) ?? 0), 0);
  }

  get isNoneDone(): boolean {
    return [...this.#counts.keys()].every((result) => result === 'failed' || result === 'not tried');
  }

  /** Such as `15 deleted, 2 failed`. */
  describe(): string {
    return [...this.#counts]
      .map(([result, count]) => `${count} ${result === 'outcome unknown' ? 'with unknown outcome' : result}`)
      .join(', ');
  }

  /** Such as `17 teams: 15 deleted, 2 failed`. */
  summary(): string {
    const { singular, plural } = this.#noun;
    return `${countNoun(this.#total, singular, plural)}: ${this.describe() || 'none done'}`;
  }
}

async function* bulkRows(
  stages: readonly (readonly BulkEntry[])[],
  { what, everyRow = false }: BulkOptions,
  tally: Tally,
  { progress: start, signal }: BulkContext,
): AsyncGenerator<BulkRow> {
  const total = stages.flat().length;
  const progress = await start({ label: what, total });
  const attempts = new Attempts();
  try {
    for (const entries of stages) {
      const tasks = entries.map(
        ({ run }) =>
          () =>
            run().finally(() => progress.tick()),
      );
      let at = 0;
      for await (const outcome of attempts.run(tasks, signal)) {
        const row = { ...entries[at++]?.label, ...toBulkRow(outcome) };
        tally.count(row);
        if (outcome.kind === 'failed') tally.failures.push(outcome.error);
        // After an interruption, rows show finished work; the final message counts the rest.
        if (everyRow || outcome.kind !== 'not tried' || !signal.aborted) yield row;
      }
    }
  } finally {
    progress.done();
  }
}

function toBulkRow(outcome: AttemptOutcome<BulkRow>): BulkRow {
  if (outcome.kind === 'done') return outcome.result;
  if (outcome.kind === 'not tried') return { result: 'not tried', error: outcome.reason };
  const { code, message } = toReport(outcome.error);
  return { result: outcome.kind === 'failed' ? 'failed' : 'outcome unknown', code, error: message };
}
