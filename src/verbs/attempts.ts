import { toReport } from '../cli/error-report.js';
import { mayFollowChange } from '../client/answers/answer-error.js';
import { type ErrorCode, InterruptedError, ServiceError } from '../errors/errors.js';

export type AttemptOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The request may have been carried out. */
  | { readonly kind: 'unknown'; readonly error: unknown }
  | { readonly kind: 'not tried'; readonly reason: string };

type AttemptTask<Result> = () => Promise<Result>;

interface TaskStage<Result> {
  readonly tasks: () => Promise<Iterable<AttemptTask<Result>>>;
}

/** Enough to hide round trips, few enough not to burden a service. */
const attemptsAtOnce = 8;

// Started tasks whose results are not yet yielded; at this limit no further task starts.
const readAhead = 8 * attemptsAtOnce;

export function attemptAll<Result>(
  tasks: Iterable<AttemptTask<Result>>,
): AsyncGenerator<AttemptOutcome<Result>> {
  return attemptInStages([{ tasks: async () => tasks }]);
}

/** Like `attemptAll`, stage by stage: gets the tasks of a stage after the previous stage has finished. */
export async function* attemptInStages<Result>(
  stages: Iterable<TaskStage<Result>>,
): AsyncGenerator<AttemptOutcome<Result>> {
  const { pMapIterable } = await import('p-map');
  const attempts = new Attempts<Result>();
  const attempt = ({ task, end }: TurnedTask<Result>) => attempts.attempt(task).finally(end);
  yield* pMapIterable(inTurn(stages), attempt, { concurrency: attemptsAtOnce, backpressure: readAhead });
}

interface TurnedTask<Result> {
  readonly task: AttemptTask<Result>;
  readonly end: () => void;
}

async function* inTurn<Result>(stages: Iterable<TaskStage<Result>>): AsyncGenerator<TurnedTask<Result>> {
  for (const { tasks } of stages) {
    const under: Promise<void>[] = [];
    for (const task of await tasks()) {
      let end: () => void = () => undefined;
      under.push(
        new Promise((resolve) => {
          end = resolve;
        }),
      );
      yield { task, end };
    }
    await Promise.all(under);
  }
}

// After these errors, further tasks would probably fail, too, or are no longer wanted.
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

// Possibly temporary; several in a row mean that the service is in trouble.
const trouble: ReadonlySet<ErrorCode> = new Set(['network', 'server', 'rate_limited', 'outcome_unknown']);

/** After a `final` error, or `attemptsAtOnce` errors of `trouble` in a row, starts no further task. */
class Attempts<Result> {
  #stopped: string | undefined;
  #troublesInARow = 0;
  /** Set after a 429; once it is set, one task runs at a time. */
  #turn: Promise<unknown> | undefined;
  readonly #underWay = new Set<Promise<unknown>>();

  async attempt(task: AttemptTask<Result>): Promise<AttemptOutcome<Result>> {
    if (this.#turn !== undefined) return this.#inTurn(task);
    const trying = this.#try(task);
    this.#underWay.add(trying);
    const outcome = await trying;
    this.#underWay.delete(trying);
    // A refused request is safe to repeat, but only a task that ran beside others has a better chance alone.
    const ranAlone = this.#turn === undefined && this.#underWay.size === 0;
    if (isRateLimited(outcome) && !ranAlone) return this.#inTurn(task);
    return this.#judged(outcome);
  }

  #inTurn(task: AttemptTask<Result>): Promise<AttemptOutcome<Result>> {
    // All running tasks finish first: a request beside them could exceed the limit again.
    const before: Promise<unknown> = this.#turn ?? Promise.all(this.#underWay);
    const turn = before.then(async () => this.#judged(await this.#try(task)));
    this.#turn = turn;
    return turn;
  }

  async #try(task: AttemptTask<Result>): Promise<AttemptOutcome<Result>> {
    if (this.#stopped !== undefined) return { kind: 'not tried', reason: this.#stopped };
    try {
      return { kind: 'done', result: await task() };
    } catch (error) {
      return toFailure(error);
    }
  }

  #judged(outcome: AttemptOutcome<Result>): AttemptOutcome<Result> {
    if (outcome.kind === 'not tried') return outcome;
    if (outcome.kind === 'done') {
      this.#troublesInARow = 0;
      return outcome;
    }
    const { code, message } = toReport(outcome.error);
    this.#troublesInARow = trouble.has(code) ? this.#troublesInARow + 1 : 0;
    if (final.has(code) || this.#troublesInARow >= attemptsAtOnce) this.#stopped ??= `after: ${message}`;
    return outcome;
  }
}

function toFailure(error: unknown): AttemptOutcome<never> {
  // An interruption has a method only if the request may have arrived.
  if (error instanceof InterruptedError && error.details.method === undefined) {
    return { kind: 'not tried', reason: 'interrupted' };
  }
  const unknown =
    error instanceof InterruptedError ||
    toReport(error).code === 'outcome_unknown' ||
    isUnread(error) ||
    isHidden(error);
  return { kind: unknown ? 'unknown' : 'failed', error };
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

function isRateLimited(outcome: AttemptOutcome<unknown>): boolean {
  return outcome.kind === 'failed' && toReport(outcome.error).code === 'rate_limited';
}
