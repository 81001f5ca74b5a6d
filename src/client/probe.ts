import { DecoratorHandler, type Dispatcher } from 'undici';
import type { QuotaRecord } from '../api/quota.js';
import { parseHttpDate } from './answers/time-headers.js';
import { readQuotaRecord } from './api.js';
import { type DispatcherOptions, openDispatcher } from './network/dispatcher.js';
import type { TransportOptions } from './transport/exchanger.js';
import { createTransport } from './transport/transport.js';

export type ProbeOptions = Omit<TransportOptions, 'dispatcher' | 'retries' | 'note'> &
  Required<Pick<TransportOptions, 'clock' | 'timeout'>> &
  Pick<DispatcherOptions, 'caFile' | 'env'>;

/** The result of one `GET /quotas`: how it ended, and what its answers showed besides. */
export interface Probe {
  readonly outcome: { readonly record: QuotaRecord } | { readonly error: unknown };
  /** How many answers came: two when the first refused the timestamp and the request was signed again. */
  readonly answers: number;
  /** Milliseconds by which the service's clock is ahead of ours, by the `Date` of the first answer. */
  readonly skew: number | undefined;
}

interface SeenAnswer {
  /** Milliseconds by each clock. */
  readonly date: number | undefined;
  readonly now: number;
}

/**
 * Sends `GET /quotas` as any command would, but without retries; how that ends is in what it resolves to.
 *
 * @throws ConfigError as `openDispatcher` does, before anything is sent
 */
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

// The header has whole seconds only; the middle of that second is the best guess.
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
