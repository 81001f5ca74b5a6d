import { setMaxListeners } from 'node:events';
import { parseBaseUrl } from '../contract/base-url.js';
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
  const { origin, dispatcher, signal, note = () => undefined } = options;
  parseBaseUrl(origin);
  // Every request under way listens to it, and bulk work has many.
  setMaxListeners(0, signal);
  const exchanger = new Exchanger({ ...options, note });
  return {
    deadline: options.deadline,
    async send(request) {
      if (options.readOnly && request.method !== 'GET') throw readOnlyError(request);
      if (!isOriginForm(request.target)) throw targetError(request);
      const deadline = Math.min(options.deadline, request.deadline ?? options.deadline);
      return withRetries((end) => exchanger.attempt(request, end), { ...options, deadline, note });
    },
    close: () => dispatcher.destroy(),
  };
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
