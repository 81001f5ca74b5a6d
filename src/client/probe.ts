import { DecoratorHandler, type Dispatcher } from 'undici';
import type { QuotaRecord } from '../api/quota.js';
import { parseHttpDate } from './answers/time-headers.js';
import { type DispatcherOptions, openDispatcher } from './network/dispatcher.js';
import { readQuotaRecord } from './quota-record.js';
import type { TransportOptions } from './transport/exchanger.js';
import { createTransport } from './transport/transport.js';

export type ProbeOptions = Omit<TransportOptions, 'dispatcher' | 'retries' | 'note'> &
  Required<Pick<TransportOptions, 'clock' | 'timeout'>> &
  Pick<DispatcherOptions, 'caFile' | 'env'>;

export interface Probe {
  readonly outcome: { readonly record: QuotaRecord } | { readonly error: unknown };
  readonly answers: number;
  /** Milliseconds by which the service's clock is ahead, from the first response's `Date`. */
  readonly skew: number | undefined;
}

interface SeenAnswer {
  readonly date: number | undefined;
  readonly now: number;
}

/** Sends `GET /quotas` without retries. @throws ConfigError as `openDispatcher` does, before sending anything */
export async function probe(options: ProbeOptions): Promise<Probe> {
  const { origin, caFile, env, timeout, clock } = options;
  const seen: SeenAnswer[] = [];
  const dispatcher = openDispatcher({ origin, caFile, env, connectTimeout: timeout });
  try {
    const watched = dispatcher.compose(watchAnswers((date) => seen.push({ date, now: clock() })));
    const transport = createTransport({ ...options, dispatcher: watched, retries: 0 });
    const outcome = await readQuotaRecord(transport).then(
      (record) => ({ record }),
      (error: unknown) => ({ error }),
    );
    return { outcome, answers: seen.length, skew: measureSkew(seen[0]) };
  } finally {
    await dispatcher.destroy();
  }
}

// `Date` has whole seconds; the middle of the second is the best estimate.
function measureSkew(first: SeenAnswer | undefined): number | undefined {
  return first?.date === undefined ? undefined : first.date + 500 - first.now;
}

function watchAnswers(onAnswer: (date: number | undefined) => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => dispatch(request, new AnswerWatcher(handler, onAnswer));
}

class AnswerWatcher extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onAnswer: (date: number | undefined) => void;

  constructor(handler: Dispatcher.DispatchHandler, onAnswer: (date: number | undefined) => void) {
    super(handler);
    this.#handler = handler;
    this.#onAnswer = onAnswer;
  }

  onResponseStart(...[controller, status, headers, message]: ResponseStart): void {
    if (status >= 200) this.#onAnswer(parseHttpDate(headers['date']));
    this.#handler.onResponseStart?.(controller, status, headers, message);
  }
}

type ResponseStart = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>;
