import { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import type { HttpError } from '../http/answer.js';
import type { Journal } from './journal.js';
import { type Exchange, type Explain, toRecord } from './kept-exchange.js';
import type { Log, LoggedRequests } from './log.js';

/** Writes requests to the journal and to the log. */
export function requestRecorder(journal: Journal, log?: Log, logged: LoggedRequests = 'all') {
  const budget = new ExplainingBudget();
  return (exchange: Exchange, refusal?: HttpError): void => {
    const explain = refusal && explainOnce(() => budget.explain(refusal));
    journal.add(exchange, explain);
    // Before the response is written, so that a client that has the response finds it in the log.
    if (log !== undefined && (explain !== undefined || logged === 'all'))
      setImmediate(() => log({ event: 'request', ...toRecord(exchange), ...explain?.() }));
  };
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
