import { setTimeout } from 'node:timers/promises';
import { toReport } from '../../cli/error-report.js';
import { mayFollowChange } from '../../client/answers/answer-error.js';
import { type ErrorCode, InterruptedError, ServiceError } from '../../errors/errors.js';

export type AttemptOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The request may have been carried out. */
  | { readonly kind: 'unknown'; readonly error: unknown }
  | { readonly kind: 'not tried'; readonly reason: string };

type Task<Result> = () => Promise<Result>;

/** Enough to hide round trips, few enough not to burden a service. */
const attemptsAtOnce = 8;

/** After these errors, further tasks would probably fail, too, or are no longer wanted. */
const final: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'forbidden',
  'quota_exceeded',
  'config',
  'internal',
  'hung_up',
  'interrupted',
  'terminated',
]);

/** Possibly temporary; several in a row mean that the service is in trouble. */
const trouble: ReadonlySet<ErrorCode> = new Set(['network', 'server', 'rate_limited', 'outcome_unknown']);

/** Runs tasks, a few at once, and yields their outcomes in order. */
export function attemptAll<Result>(tasks: Iterable<Task<Result>>): AsyncGenerator<AttemptOutcome<Result>> {
  return new Attempts().run(tasks);
}

/** After a `final` error, or `attemptsAtOnce` errors of `trouble` in a row, starts no further task. */
export class Attempts {
  #stopped: string | undefined;
  #troublesInARow = 0;
  #done = 0;
  #pause: Promise<unknown> = Promise.resolve();

  async *run<Result>(
    tasks: Iterable<Task<Result>>,
    signal?: AbortSignal,
  ): AsyncGenerator<AttemptOutcome<Result>> {
    const { pMapIterable } = await import('p-map');
    const attempt = async (task: Task<Result>): Promise<AttemptOutcome<Result>> => {
      if (this.#stopped !== undefined) return { kind: 'not tried', reason: this.#stopped };
      return this.#judged(await this.#tryPatiently(task, signal));
    };
    const backpressure = 8 * attemptsAtOnce;
    yield* pMapIterable(tasks, attempt, { concurrency: attemptsAtOnce, backpressure });
  }

  /** A request that was refused with 429 is safe to repeat, which helps as long as others get through. */
  async #tryPatiently<Result>(task: Task<Result>, signal?: AbortSignal): Promise<AttemptOutcome<Result>> {
    for (;;) {
      await this.#pause;
      const before = this.#done;
      const outcome = await tryOnce(task);
      if (outcome.kind === 'done') this.#done += 1;
      if (outcome.kind !== 'failed' || before === this.#done || signal?.aborted) return outcome;
      const { error } = outcome;
      if (!(error instanceof ServiceError) || error.code !== 'rate_limited') return outcome;
      const seconds = error.details.retryAfter ?? 1;
      // An interruption is reported by the next attempt.
      this.#pause = setTimeout(1000 * seconds, undefined, { signal }).catch(() => undefined);
    }
  }

  #judged<Result>(outcome: AttemptOutcome<Result>): AttemptOutcome<Result> {
    if (outcome.kind === 'done') this.#troublesInARow = 0;
    if (!('error' in outcome)) return outcome;
    const { code, message } = toReport(outcome.error);
    this.#troublesInARow = trouble.has(code) ? this.#troublesInARow + 1 : 0;
    if (final.has(code) || this.#troublesInARow >= attemptsAtOnce) this.#stopped ??= `after: ${message}`;
    return outcome;
  }
}

async function tryOnce<Result>(task: Task<Result>): Promise<AttemptOutcome<Result>> {
  try {
    return { kind: 'done', result: await task() };
  } catch (error) {
    const isInterrupted = error instanceof InterruptedError;
    // An interruption has a method only if the request may have arrived.
    if (isInterrupted && error.details.method === undefined) {
      return { kind: 'not tried', reason: 'interrupted' };
    }
    const isUnknown = isInterrupted || toReport(error).code === 'outcome_unknown';
    return { kind: isUnknown || isUnread(error) || isHidden(error) ? 'unknown' : 'failed', error };
  }
}

/** Whether a gateway may have forwarded the change and then failed. */
function isHidden(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.details.method === 'GET') return false;
  return error.details.status === 502 || error.details.status === 504;
}

/** Whether the change may have been made in spite of the error. */
function isUnread(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.details.method === 'GET') return false;
  const { status } = error.details;
  return status !== undefined && ((status >= 200 && status < 300) || mayFollowChange(status));
}
