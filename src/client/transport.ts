import type { Dispatcher } from 'undici';
import { ConfigError } from '../errors.js';
import type { Credential } from '../signing/basic.js';
import { answerError, redirectError } from './answer-error.js';
import { clockSkew } from './clock-skew.js';
import { type Answer, exchange } from './exchange.js';
import { failureError } from './failure-error.js';
import { withRetries } from './retry.js';
import { type AuthMode, signInterceptor } from './sign-interceptor.js';
import { type Trace, traceAnswer, traceInterceptor } from './trace.js';

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
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface TransportOptions {
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
  /** Milliseconds for all attempts and waits together. */
  readonly deadline: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** Refuse every method but GET. */
  readonly readOnly?: boolean | undefined;
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
  /** Product and version for `User-Agent`. */
  readonly userAgent: string;
  /** Told of retries and of a corrected clock. */
  readonly note?: ((text: string) => void | Promise<void>) | undefined;
  /** Told of every request and answer, secrets masked. */
  readonly trace?: Trace | undefined;
}

/** Sends calls of the service, authenticated, and returns only answers of status 2xx. */
export interface Transport {
  /**
   * @throws ServiceError for any other status and for redirects, which are never followed; NetworkError when the
   * request was not delivered or a reading one got no answer; OutcomeUnknownError when a changing one got none;
   * ConfigError for a changing one on a read-only transport
   */
  send(request: ApiRequest): Promise<Answer>;
  close(): Promise<void>;
}

/** Bytes of the largest answer that is read (contract, section 3). */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Each attempt is signed afresh, inside the retries; a clock that proved wrong stays corrected. */
export function createTransport(options: TransportOptions): Transport {
  const { retries, deadline, signal, note = () => undefined } = options;
  const exchanger = new Exchanger(options, note);
  return {
    async send(request) {
      if (options.readOnly && request.method !== 'GET') throw readOnlyError(request);
      const policy = { retries, deadline, signal, note };
      return withRetries((remaining) => exchanger.attempt(request, remaining), policy);
    },
    close: () => options.dispatcher.destroy(),
  };
}

function readOnlyError({ method, target }: ApiRequest): ConfigError {
  return new ConfigError(`${method} ${target}: this profile is read-only`, {
    method,
    path: target,
    hint: 'use another profile for changes: --profile NAME',
  });
}

class Exchanger {
  readonly #options: TransportOptions;
  readonly #note: NonNullable<TransportOptions['note']>;
  readonly #dispatcher: Dispatcher;
  /** Milliseconds by which the service's clock is ahead of ours. */
  #skew = 0;

  constructor(options: TransportOptions, note: NonNullable<TransportOptions['note']>) {
    const { credential, auth, clock, trace } = options;
    const sign = signInterceptor({ credential, mode: auth, clock: () => clock() + this.#skew });
    this.#options = options;
    this.#note = note;
    // The last one composed is the first to see a request: it is signed, then traced as it goes out.
    const tracing = trace === undefined ? [] : [traceInterceptor(trace)];
    this.#dispatcher = options.dispatcher.compose([...tracing, sign]);
  }

  async attempt(request: ApiRequest, remaining: number): Promise<Answer> {
    const called = { method: request.method, target: `${this.#options.prefix}${request.target}` };
    const answer = await this.#exchangeInTime(request, called.target, remaining);
    if (answer.status >= 300 && answer.status < 400) throw redirectError(answer, called);
    if (answer.status >= 400) throw answerError(answer, called);
    return answer;
  }

  /** A timestamp is refused once at most: the second is by the service's own clock. That is no retry. */
  async #exchangeInTime(request: ApiRequest, target: string, remaining: number): Promise<Answer> {
    const { auth, clock, origin } = this.#options;
    const answer = await this.#exchange(request, target, remaining);
    const skew = auth === 'hmac' ? clockSkew(answer, origin, clock()) : undefined;
    if (skew === undefined || this.#skew !== 0) return answer;
    this.#skew = skew;
    const direction = skew < 0 ? 'behind' : 'ahead of';
    await this.#note(
      `the service's clock is ${Math.round(Math.abs(skew) / 1000)} s ${direction} this machine's; signing by its clock`,
    );
    return this.#exchange(request, target, remaining);
  }

  async #exchange(request: ApiRequest, target: string, remaining: number): Promise<Answer> {
    const { origin, userAgent, trace } = this.#options;
    const timeout = Math.max(1, Math.min(this.#options.timeout, remaining));
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(timeout)]);
    const { method, body = null } = request;
    const headers = headersOf(request, userAgent);
    const sent = performance.now();
    try {
      const limits = { signal, maxBytes: maxAnswerBytes };
      const options = { origin, path: target, method, headers, body };
      const answer = await exchange(this.#dispatcher, options, limits);
      if (trace !== undefined) traceAnswer(trace, answer, performance.now() - sent);
      return answer;
    } catch (failure) {
      throw failureError(failure, { method, target }, { origin, timeout });
    }
  }
}

function headersOf(request: ApiRequest, userAgent: string): string[] {
  const own = { Accept: 'application/json', 'User-Agent': userAgent };
  const typed = request.body && request.contentType ? { 'Content-Type': request.contentType } : {};
  return Object.entries({ ...own, ...typed, ...request.headers }).flat();
}
