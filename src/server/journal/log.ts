import { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import type { HttpError } from '../http/answer.js';
import type { Journal } from './journal.js';
import type { Exchange, Explain } from './kept-exchange.js';

/** The fields that log and journal share; `time` is ISO 8601 by the server's clock. */
export interface RequestRecord {
  readonly time: string;
  readonly method: string;
  /** As on the request line; values of query parameters are masked unless they are known to be harmless. */
  readonly target: string;
  /** `null` if the connection was dropped before a response. */
  readonly status: number | null;
  readonly milliseconds: number;
  readonly keyId?: string | undefined;
  /** The authenticated key's organization. */
  readonly organization?: string | undefined;
  readonly fault?: string | undefined;
  readonly stub?: string | undefined;
}

/** A log entry; never contains a secret, a password or a valid signature. */
export type LogEntry = RequestEntry | NoticeEntry;

export interface RequestEntry extends RequestRecord, Partial<Refusal> {
  readonly event: 'request';
}

/** A notice for the server's operator. */
export interface NoticeEntry {
  readonly event: 'warning' | 'error';
  readonly time: string;
  readonly message: string;
}

/** Which requests to log. Logging only refused requests saves time. */
export type LoggedRequests = 'all' | 'refused';

/** Receives the log, entry by entry. */
export type Log = (entry: LogEntry) => void;

export type Notify = (event: NoticeEntry['event'], message: string) => void;

export function notifying(log: Log | undefined, clock: () => number): Notify {
  return (event, message) => log?.({ event, time: new Date(clock()).toISOString(), message });
}

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
      target: this.#budget.redactedTarget(target),
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
