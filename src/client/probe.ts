import { DecoratorHandler, type Dispatcher } from 'undici';
import { parseHttpDate } from './answers/time-headers.js';
import { type Accepted, createApi } from './api.js';
import { type DispatcherOptions, openDispatcher } from './network/dispatcher.js';
import type { TransportOptions } from './transport/exchanger.js';
import { createTransport } from './transport/transport.js';

export type ProbeOptions = Omit<TransportOptions, 'dispatcher' | 'retries' | 'note'> &
  Required<Pick<TransportOptions, 'clock' | 'timeout'>> &
  Pick<DispatcherOptions, 'caFile' | 'env'>;

export interface Probe {
  readonly outcome: { readonly accepted: Accepted } | { readonly error: unknown };
  readonly answers: number;
  /** Whether the first response was a 401 after which the transport signed again. */
  readonly isSignedAgain: boolean;
  /** Milliseconds by which the service's clock is ahead, from the first response's `Date`. */
  readonly skew: number | undefined;
}

interface SeenAnswer {
  readonly status: number;
  readonly date: number | undefined;
  readonly now: number;
}

/** Checks the credential with a signed read, without retries. @throws ConfigError as `openDispatcher` does, before sending anything */
export async function probe(options: ProbeOptions): Promise<Probe> {
  const { origin, caFile, env, timeout, clock } = options;
  const seen: SeenAnswer[] = [];
  const dispatcher = openDispatcher({ origin, caFile, env, connectTimeout: timeout });
  try {
    const watched = dispatcher.compose(
      watchAnswers((status, date) => seen.push({ status, date, now: clock() })),
    );
    const transport = createTransport({ ...options, dispatcher: watched, retries: 0 });
    const outcome = await createApi(transport)
      .checkCredential()
      .then(
        (accepted) => ({ accepted }),
        (error: unknown) => ({ error }),
      );
    const isSignedAgain = seen.length > 1 && seen[0]?.status === 401;
    return { outcome, answers: seen.length, isSignedAgain, skew: measureSkew(seen[0]) };
  } finally {
    await dispatcher.destroy();
  }
}

type OnAnswer = (status: number, date: number | undefined) => void;

// `Date` has whole seconds; the middle of the second is the best estimate.
function measureSkew(first: SeenAnswer | undefined): number | undefined {
  return first?.date === undefined ? undefined : first.date + 500 - first.now;
}

function watchAnswers(onAnswer: OnAnswer): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => dispatch(request, new AnswerWatcher(handler, onAnswer));
}

class AnswerWatcher extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #onAnswer: OnAnswer;

  constructor(handler: Dispatcher.DispatchHandler, onAnswer: OnAnswer) {
    super(handler);
    this.#handler = handler;
    this.#onAnswer = onAnswer;
  }

  onResponseStart(...[controller, status, headers, message]: ResponseStart): void {
    if (status >= 200) this.#onAnswer(status, parseHttpDate(headers['date']));
    this.#handler.onResponseStart?.(controller, status, headers, message);
  }
}

type ResponseStart = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>;
