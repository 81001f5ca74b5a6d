import { setMaxListeners } from 'node:events';
import { parseBaseUrl } from '../contract/base-url.js';
import { defaultPatience } from '../contract/option-values.js';
import { isOriginForm } from '../contract/target.js';
import { ConfigError, UsageError } from '../errors.js';
import type { Answer } from './exchange.js';
import type { TransportOptions } from './exchanger.js';
import { Exchanger } from './exchanger.js';
import type { ApiRequest } from './request.js';
import { calledAs } from './request.js';
import { withRetries } from './retry.js';

/** Sends calls of the service, authenticated, and returns only answers of status 2xx. */
export interface Transport {
  /**
   * @throws ServiceError for any other status and for redirects, which are never followed; NetworkError when the
   * request was not delivered or a reading one got no answer; OutcomeUnknownError when a changing one got none;
   * ConfigError for a changing one on a read-only transport; UsageError for what cannot go on a request line
   */
  send(request: ApiRequest): Promise<Answer>;
  /** Milliseconds for all attempts and waits of one call. */
  readonly deadline: number;
  close(): Promise<void>;
}

/**
 * Each attempt is signed afresh, inside the retries; a clock that proved wrong stays corrected.
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
  // Every request under way listens to it, and bulk work has many.
  setMaxListeners(0, signal);
  const exchanger = new Exchanger({ ...options, timeout, deadline: longest, note });
  return {
    deadline: longest,
    async send(request) {
      if (options.readOnly && request.method !== 'GET') throw readOnlyError(request);
      if (!isOriginForm(request.target)) throw targetError(request);
      const deadline = Math.min(longest, request.deadline ?? longest);
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
 * Does something that one of two signals can end. Not `AbortSignal.any`: what it makes can be garbage collected on Node 20
 * before it fires (see `exchange.ts`).
 */
async function untilEither<Result>(
  always: AbortSignal,
  own: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (own === undefined) return act(always);
  const either = new AbortController();
  const signals = [always, own];
  const onAbort = () => either.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signals.some(({ aborted }) => aborted)) onAbort();
    return await act(either.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  }
}

function readOnlyError(request: ApiRequest): ConfigError {
  const { method, target } = calledAs(request.method, request.target);
  return new ConfigError(`${method} ${target}: this profile is read-only`, {
    method,
    path: target,
    hint: 'use another profile for changes: --profile NAME',
  });
}

function targetError({ method, target }: ApiRequest): UsageError {
  return new UsageError(`${JSON.stringify(target)} cannot go on a request line`, { method, path: target });
}
