import { setMaxListeners } from 'node:events';
import { defaultPatience } from '../../api/option-values.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { isOriginForm, parseBaseUrl } from '../../text/base-url.js';
import type { Answer } from '../exchange/exchange.js';
import type { ApiRequest } from '../exchange/request.js';
import { calledAs } from '../exchange/request.js';
import { withRetries } from '../exchange/retry.js';
import { type Forms, knownForms } from '../reading/forms.js';
import type { TransportOptions } from './exchanger.js';
import { Exchanger } from './exchanger.js';

/** Sends authenticated requests, and returns only 2xx answers. */
export interface Transport {
  /**
   * @param left milliseconds that are left of the request's deadline, where several requests have it in common
   * @throws ServiceError for any other status, redirects included; NetworkError when the request was not delivered, or
   * a read got no answer; OutcomeUnknownError when a change got none; ConfigError for a change on a read-only
   * transport; UsageError for a target that cannot go on a request line
   */
  send(request: ApiRequest, left?: number): Promise<Answer>;
  /** Milliseconds for all attempts and waits of a call. */
  readonly deadline: number;
  /** ID of the key that signs. */
  readonly keyId: string;
  /** Scheme, host and port of the service, and the base URL's path. */
  readonly origin: string;
  readonly prefix: string;
  /** The forms of answers that are looked for. */
  readonly forms: Forms;
  /** The service's time by the `Date` of its last answer, ours where none had one; milliseconds since the epoch. */
  serviceTime(): number;
  close(): Promise<void>;
}

/**
 * Each attempt is signed afresh, inside the retries; a clock correction stays in effect.
 *
 * @throws UsageError for an origin that is neither `https:` nor loopback: the secret would be readable on the way
 */
export function createTransport(options: TransportOptions): Transport {
  const { origin, dispatcher, signal = new AbortController().signal, note = () => undefined } = options;
  const {
    timeout = defaultPatience.timeout,
    deadline: longest = defaultPatience.deadline,
    retries = defaultPatience.retries,
  } = options;
  parseBaseUrl(origin);
  // Every pending request listens to it, and bulk work has many.
  setMaxListeners(0, signal);
  const exchanger = new Exchanger({ ...options, timeout, deadline: longest, note });
  return {
    deadline: longest,
    keyId: options.credential.keyId,
    origin,
    prefix: options.prefix,
    forms: options.forms ?? knownForms,
    serviceTime: () => exchanger.serviceTime(),
    async send(request, left = request.deadline) {
      if (options.readOnly && request.method !== 'GET') throw readOnlyError(request);
      if (!isOriginForm(request.target)) throw targetError(request);
      const deadline = Math.min(longest, left ?? longest);
      return untilEither(signal, request.signal, (signal) =>
        withRetries((end) => exchanger.attempt(request, end, signal), {
          ...options,
          retries,
          deadline,
          signal,
          note,
        }),
      );
    },
    close: () => dispatcher.destroy(),
  };
}

/**
 * Runs work that either of two signals can abort. Not `AbortSignal.any`: on Node 20 its signal can be garbage collected
 * before it fires (see `exchange.ts`).
 */
async function untilEither<Result>(
  always: AbortSignal,
  own: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (own === undefined) return act(always);
  const either = new AbortController();
  const unfollow = [always, own].map((signal) => followSignal(signal, either));
  try {
    return await act(either.signal);
  } finally {
    for (const end of unfollow) end();
  }
}

/** Has a controller abort when a signal does, or did, until what is returned is called. */
function followSignal(signal: AbortSignal, controller: AbortController): () => void {
  const onAbort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return () => signal.removeEventListener('abort', onAbort);
}

function readOnlyError(request: ApiRequest): ConfigError {
  const { method, target } = calledAs(request.method, request.target);
  return new ConfigError(`${method} ${target}: not sent, as this is read-only`, {
    method,
    path: target,
    hint: 'for changes, use a client that is not `readOnly`',
    see: { what: 'read-only' },
  });
}

function targetError({ method, target }: ApiRequest): UsageError {
  return new UsageError(`${JSON.stringify(target)} cannot go on a request line`, { method, path: target });
}
