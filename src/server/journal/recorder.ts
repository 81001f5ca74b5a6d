import type { ExplainingBudget } from '../explain/explaining-budget.js';
import type { PendingRefusal } from '../explain/refusal.js';
import type { Log } from '../log.js';
import type { Exchange, Journal } from './journal.js';
import { redactedPath } from './redact-request.js';

export interface RecorderOptions {
  readonly journal: Journal;
  readonly budget: ExplainingBudget;
  readonly log?: Log | undefined;
}

/** Notes every exchange in the journal and, where somebody listens, in the log. */
export class Recorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Explains and logs only once the answer is on its way, so that no client waits for it. */
  record(exchange: Exchange, refusal?: PendingRefusal): void {
    const { journal, log } = this.#options;
    const explained = journal.add(exchange);
    if (refusal === undefined && log === undefined) return;
    setImmediate(() => this.#tell(exchange, refusal, explained));
  }

  #tell(
    { time, method, target, status, milliseconds, keyId, organization, fault }: Exchange,
    pending: PendingRefusal | undefined,
    explained: ReturnType<Journal['add']>,
  ): void {
    const { budget, log } = this.#options;
    const refusal = pending && budget.explain(pending);
    if (refusal) explained(refusal);
    log?.({
      event: 'request',
      time: new Date(time).toISOString(),
      method,
      target: redactedPath(target),
      status: status ?? null,
      milliseconds,
      keyId,
      organization,
      fault,
      ...refusal,
    });
  }
}
