import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../cli/context.js';
import { toReport } from '../../cli/error-report.js';
import { mayFollowChange } from '../../client/answers/answer-error.js';
import {
  type ErrorCode,
  InterruptedError,
  ResultError,
  ServiceError,
  UsageError,
  withHint,
} from '../../errors/errors.js';
import type { View } from '../../terminal/output/printer.js';
import { countNoun } from '../../text/count-noun.js';
import { isUnwritten } from './print.js';

export interface BulkEntry {
  readonly label: BulkRow;
  readonly run: () => Promise<BulkRow>;
}

type Stages = readonly (readonly BulkEntry[])[];

/** An entry's `label` with what `run` returns; if that fails, with a `result` from `notDone`, an `error` and maybe a `code`. */
export type BulkRow = Readonly<Record<string, unknown>>;

interface BulkOptions {
  readonly what: string;
  readonly noun: { readonly singular: string; readonly plural: string };
  readonly view: View<BulkRow>;
  /** What to do after a failure. */
  readonly hint?: () => string;
}

const notDone = ['failed', 'outcome unknown', 'not tried'];

/** Runs all entries, and prints a row for each. A stage begins when the one before has ended. @throws ResultError `partial` */
export async function runBulk(stages: Stages, options: BulkOptions, context: Context): Promise<void> {
  context.streams.outlastReader();
  const printer = await context.printer();
  const { hint = () => 'see the rows above', noun } = options;
  const total = stages.flat().length;
  const counts = new Map<unknown, number>();
  const describe = () =>
    [...counts]
      .map(([result, count]) => `${count} ${result === 'outcome unknown' ? 'with unknown outcome' : result}`)
      .join(', ');
  const summarize = () => `${countNoun(total, noun.singular, noun.plural)}: ${describe() || 'none done'}`;
  await printer.list(bulkRows(stages, options, counts, context), options.view).catch((error: unknown) => {
    if (isUnwritten(error)) throw withHint(error, `${summarize()}; ${hint()}`);
    if (!(error instanceof UsageError)) throw error;
    // `--query` does not fit the rows, which are printed only after the work.
    const details = { retryable: false, hint: `the work was done: ${describe()}`, cause: error };
    throw new ServiceError('server', error.message, details);
  });
  const { reason } = context.signal;
  if (reason instanceof InterruptedError)
    throw new InterruptedError(reason.signal, { hint: `${summarize()}; ${hint()}` });
  if (notDone.some((result) => counts.has(result)))
    throw new ResultError('partial', summarize(), { hint: hint() });
  if (total > 1 && context.streams.stderr.isTerminal) await context.note(describe());
}

async function* bulkRows(
  stages: Stages,
  { what }: BulkOptions,
  counts: Map<unknown, number>,
  context: Context,
): AsyncGenerator<BulkRow> {
  const progress = await context.progress({ label: what, total: stages.flat().length });
  const attempt = await openAttempts(context);
  try {
    for (const entries of stages) {
      let at = 0;
      const tasks = entries.map(
        ({ run }) =>
          () =>
            run().finally(() => progress.tick()),
      );
      for await (const outcome of attempt(tasks)) {
        const row: BulkRow = { ...entries[at++]?.label, ...toBulkRow(outcome) };
        const { result } = row;
        counts.set(result, (counts.get(result) ?? 0) + 1);
        yield row;
      }
    }
  } finally {
    progress.done();
  }
}

function toBulkRow(outcome: AttemptOutcome<BulkRow>): BulkRow {
  if (outcome.kind === 'done') return outcome.result;
  const { kind: result } = outcome;
  if (result === 'not tried') return { result, error: outcome.reason };
  const { code, message } = toReport(outcome.error);
  return { result, code, error: message };
}

type AttemptOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed' | 'outcome unknown'; readonly error: unknown }
  | { readonly kind: 'not tried'; readonly reason: string };

type Task<Result> = () => Promise<Result>;

/** Enough to hide round trips, few enough not to burden a service. */
const attemptsAtOnce = 8;

/** After these errors, further tasks would probably fail, too, or are no longer wanted. */
const final: ReadonlySet<ErrorCode> = new Set([
  ...(['unauthenticated', 'forbidden', 'quota_exceeded', 'config', 'internal'] as const),
  ...(['hung_up', 'interrupted', 'terminated'] as const),
]);

/** Possibly temporary; several in a row mean that the service is in trouble. */
const trouble: ReadonlySet<ErrorCode> = new Set(['network', 'server', 'rate_limited', 'outcome_unknown']);

/** Returns a runner of tasks. After a `final` error, or `attemptsAtOnce` of `trouble` in a row, it starts no further task. */
export async function openAttempts({ api, signal }: Context) {
  const { deadline } = (await api()).transport;
  let stopped: string | undefined;
  let troublesInARow = 0;
  let done = 0;
  let pause: Promise<unknown> = Promise.resolve();
  /** Tries a task. Repeats it after a 429, which is safe, as long as others succeed meanwhile. */
  async function tryPatiently<Result>(task: Task<Result>): Promise<AttemptOutcome<Result>> {
    await pause;
    const before = done;
    const outcome = await tryOnce(task);
    const error = outcome.kind === 'failed' ? outcome.error : undefined;
    const isLimited = error instanceof ServiceError && error.code === 'rate_limited';
    const wait = 1000 * ((isLimited && error.details.retryAfter) || 1);
    if (!isLimited || before === done || signal.aborted || wait > deadline) return outcome;
    // An interruption is reported by the next attempt.
    pause = setTimeout(wait, undefined, { signal }).catch(() => undefined);
    return tryPatiently(task);
  }
  async function attempt<Result>(task: Task<Result>): Promise<AttemptOutcome<Result>> {
    if (stopped !== undefined) return { kind: 'not tried', reason: stopped };
    const outcome = await tryPatiently(task);
    if (outcome.kind === 'done') [troublesInARow, done] = [0, done + 1];
    if (!('error' in outcome)) return outcome;
    const { code, message } = toReport(outcome.error);
    troublesInARow = trouble.has(code) ? troublesInARow + 1 : 0;
    if (final.has(code) || troublesInARow >= attemptsAtOnce) stopped ??= `after: ${message}`;
    return outcome;
  }
  return async function* run<Result>(tasks: Iterable<Task<Result>>): AsyncGenerator<AttemptOutcome<Result>> {
    const { pMapIterable } = await import('p-map');
    yield* pMapIterable(tasks, attempt, { concurrency: attemptsAtOnce, backpressure: 8 * attemptsAtOnce });
  };
}

async function tryOnce<Result>(task: Task<Result>): Promise<AttemptOutcome<Result>> {
  try {
    return { kind: 'done', result: await task() };
  } catch (error) {
    const isInterrupted = error instanceof InterruptedError;
    // An interruption has a method only if the request may have arrived.
    if (isInterrupted && error.details.method === undefined)
      return { kind: 'not tried', reason: 'interrupted' };
    const isUnknown = isInterrupted || toReport(error).code === 'outcome_unknown' || isDoubtful(error);
    return { kind: isUnknown ? 'outcome unknown' : 'failed', error };
  }
}

/** Whether the change may have been made in spite of the response, or a gateway may have forwarded it and then failed. */
function isDoubtful(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.details.method === 'GET') return false;
  const { status = 0 } = error.details;
  return (status >= 200 && status < 300) || [502, 504].includes(status) || mayFollowChange(status);
}
