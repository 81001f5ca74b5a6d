import { redactedTarget } from '../../redaction/redact.js';
import { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import type { HttpError } from '../http/answer.js';
import type { Journal } from './journal.js';
import type { Exchange, Explain } from './kept-exchange.js';
import type { Log, LoggedRequests } from './log.js';

/** Writes requests to the journal and to the log. */
export class Recorder {
  readonly #journal: Journal;
  readonly #log: Log | undefined;
  readonly #logsAll: boolean;
  readonly #budget = new ExplainingBudget();

  constructor(journal: Journal, log?: Log, logged: LoggedRequests = 'all') {
    this.#journal = journal;
    this.#log = log;
    this.#logsAll = log !== undefined && logged === 'all';
  }

  /** Logs before the response is written, so that a client that has the response finds it in the log. */
  record(exchange: Exchange, refusal?: HttpError): void {
    const explain = refusal && explainOnce(() => this.#budget.explain(refusal));
    this.#journal.add(exchange, explain);
    if (explain !== undefined || this.#logsAll) setImmediate(() => this.#tell(exchange, explain));
  }

  #tell({ time, method, target, status, ...rest }: Exchange, explain: Explain | undefined): void {
    const { milliseconds, keyId, organization, fault, stub } = rest;
    this.#log?.({
      event: 'request',
      time: new Date(time).toISOString(),
      method,
      target: redactedTarget(target),
      status: status ?? null,
      ...{ milliseconds, keyId, organization, fault, stub },
      ...explain?.(),
    });
  }
}

/** Explains only once, and then releases the request, which may have a large body. */
function explainOnce(explain: Explain): Explain {
  let say = explain;
  return () => {
    const refusal = say();
    say = () => refusal;
    return refusal;
  };
}
