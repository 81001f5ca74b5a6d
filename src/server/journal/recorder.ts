import type { ExplainingBudget } from '../explain/explaining-budget.js';
import type { PendingRefusal, Refusal } from '../explain/refusal.js';
import type { Exchange, Explain, Journal } from './journal.js';
import type { Log, LoggedRequests } from './log.js';

export interface RecorderOptions {
  readonly journal: Journal;
  readonly budget: ExplainingBudget;
  readonly log?: Log | undefined;
  readonly logged?: LoggedRequests | undefined;
}

/** Notes every exchange in the journal and, where somebody listens, in the log. */
export class Recorder {
  readonly #options: RecorderOptions;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Explains and logs only once the answer is on its way, so that no client waits for it. */
  record(exchange: Exchange, refusal?: PendingRefusal): void {
    const { journal, budget, log, logged = 'all' } = this.#options;
    const explain = refusal && once(() => budget.explain(refusal));
    journal.add(exchange, explain);
    const isLogged = log !== undefined && logged === 'all';
    if (explain !== undefined || isLogged) setImmediate(() => this.#tell(exchange, explain?.()));
  }

  #tell(
    { time, method, target, status, milliseconds, keyId, organization, fault }: Exchange,
    refusal: Refusal | undefined,
  ): void {
    this.#options.log?.({
      event: 'request',
      time: new Date(time).toISOString(),
      method,
      target: this.#options.budget.redactedTarget(target),
      status: status ?? null,
      milliseconds,
      keyId,
      organization,
      fault,
      ...refusal,
    });
  }
}

/** What has been said needs the request no more, whose body may be large. */
function once(explain: Explain): Explain {
  let say = explain;
  return () => {
    const refusal = say();
    say = () => refusal;
    return refusal;
  };
}
