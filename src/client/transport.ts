import type { Dispatcher } from 'undici';
import { parseBaseUrl } from '../contract/base-url.js';
import { isOriginForm } from '../contract/target.js';
import { ConfigError, UsageError } from '../errors.js';
import type { Credential } from '../signing/basic.js';
import type { Answer } from './exchange.js';
import { Exchanger } from './exchanger.js';
import { type RetryPolicy, withRetries } from './retry.js';
import type { AuthMode } from './sign-interceptor.js';
import type { Trace } from './trace.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** One call of the service. */
export interface ApiRequest {
  readonly method: Method;
  /** Path and query below the base URL, sent and signed byte for byte. */
  readonly target: string;
  /** Exactly these bytes are signed and sent. */
  readonly body?: Uint8Array | undefined;
  /** Value of `Content-Type`; sent when there is a body. */
  readonly contentType?: string | undefined;
  /** Further headers; they replace those that are sent by default, in whatever case they are written. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface TransportOptions extends Pick<RetryPolicy, 'retries' | 'deadline' | 'random' | 'wait'> {
  readonly dispatcher: Dispatcher;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The base URL's path without a trailing slash; part of every target on the wire. */
  readonly prefix: string;
  readonly credential: Credential;
  readonly auth: AuthMode;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Milliseconds that one attempt may take. */
  readonly timeout: number;
  /** Refuse every method but GET. */
  readonly readOnly?: boolean | undefined;
  /** Ends whatever is under way; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Product and version for `User-Agent`. */
  readonly userAgent: string;
  /** Told of retries and of a corrected clock. */
  readonly note?: ((text: string) => void | Promise<void>) | undefined;
  /** Told of every request and answer, secrets masked. The text of others in it is as it came. */
  readonly trace?: Trace | undefined;
}

/** Sends calls of the service, authenticated, and returns only answers of status 2xx. */
export interface Transport {
  /**
   * @throws ServiceError for any other status and for redirects, which are never followed; NetworkError when the
   * request was not delivered or a reading one got no answer; OutcomeUnknownError when a changing one got none;
   * ConfigError for a changing one on a read-only transport; UsageError for what cannot go on a request line
   */
  send(request: ApiRequest): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Each attempt is signed afresh, inside the retries; a clock that proved wrong stays corrected.
 *
 * @throws UsageError for an origin that is neither `https:` nor loopback: the secret would be readable on the way
 */
export function createTransport(options: TransportOptions): Transport {
  const { origin, dispatcher, note = () => undefined } = options;
  parseBaseUrl(origin);
  const exchanger = new Exchanger({ ...options, note });
  return {
    async send(request) {
      if (options.readOnly && request.method !== 'GET') throw readOnlyError(request);
      if (!isOriginForm(request.target)) throw targetError(request);
      return withRetries((end) => exchanger.attempt(request, end), { ...options, note });
    },
    close: () => dispatcher.destroy(),
  };
}

function readOnlyError({ method, target }: ApiRequest): ConfigError {
  return new ConfigError(`${method} ${target}: this profile is read-only`, {
    method,
    path: target,
    hint: 'use another profile for changes: --profile NAME',
  });
}

function targetError({ method, target }: ApiRequest): UsageError {
  return new UsageError(`${JSON.stringify(target)} cannot go on a request line`, { method, path: target });
}
