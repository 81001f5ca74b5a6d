import { once } from '../../platform/once.js';
import { ExplainingBudget, type Refusal } from '../../signing/refusals/refusal.js';
import type { HttpError } from '../http/answer.js';
import { type Exchange, type RequestRecord, toRecord } from './entry.js';
import type { Journal } from './journal.js';

/** A log entry; never contains a secret, a password or a valid signature. */
export type LogEntry = RequestEntry | NoticeEntry;

export interface RequestEntry extends RequestRecord, Partial<Refusal> {
  readonly event: 'request';
}

interface NoticeEntry {
  readonly event: 'warning' | 'error';
  readonly time: string;
  readonly message: string;
}

export type LoggedRequests = 'all' | 'refused';

export type Log = (entry: LogEntry) => void;

export type Notify = (event: NoticeEntry['event'], message: string) => void;

export function notifying(log: Log | undefined, clock: () => number): Notify {
  return (event, message) => log?.({ event, time: new Date(clock()).toISOString(), message });
}

export function requestRecorder(journal: Journal, log?: Log, logged: LoggedRequests = 'all') {
  const budget = new ExplainingBudget();
  return (exchange: Exchange, refusal?: HttpError): void => {
    const explain = refusal && once(() => budget.explain(refusal.message, refusal.refusal));
    journal.add(exchange, explain);
    // Before the response is written, so that the client finds its request in the log.
    if (log !== undefined && (explain !== undefined || logged === 'all'))
      setImmediate(() => log({ event: 'request', ...toRecord(exchange), ...explain?.() }));
  };
}
