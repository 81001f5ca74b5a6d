import type { Dispatcher } from 'undici';
import type { Credential } from '../signing/basic.js';
import { answerError, redirectError } from './answer-error.js';
import { type Answer, exchange } from './exchange.js';
import { failureError } from './failure-error.js';
import { type AuthMode, signInterceptor } from './sign-interceptor.js';

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
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
  /** Product and version for `User-Agent`. */
  readonly userAgent: string;
}

/** Sends calls of the service, authenticated, and returns only answers of status 2xx. */
export interface Transport {
  /**
   * @throws ServiceError for any other status and for redirects, which are never followed; NetworkError when the
   * request was not delivered or a reading one got no answer; OutcomeUnknownError when a changing one got none
   */
  send(request: ApiRequest): Promise<Answer>;
  close(): Promise<void>;
}

/** Bytes of the largest answer that is read (contract, section 3). */
const maxAnswerBytes = 64 * 1024 * 1024;

export function createTransport(options: TransportOptions): Transport {
  const { credential, auth, clock } = options;
  const signing = options.dispatcher.compose(signInterceptor({ credential, mode: auth, clock }));
  return {
    send: (request) => attempt(signing, options, request),
    close: () => options.dispatcher.destroy(),
  };
}

async function attempt(
  dispatcher: Dispatcher,
  options: TransportOptions,
  request: ApiRequest,
): Promise<Answer> {
  const target = `${options.prefix}${request.target}`;
  const called = { ...request, target };
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeout)]);
  const answer = await exchange(
    dispatcher,
    {
      origin: options.origin,
      path: target,
      method: request.method,
      headers: headersOf(request, options.userAgent),
      body: request.body ?? null,
    },
    { signal, maxBytes: maxAnswerBytes },
  ).catch((failure: unknown) => {
    throw failureError(failure, called, options);
  });
  if (answer.status >= 300 && answer.status < 400) throw redirectError(answer, called);
  if (answer.status >= 400) throw answerError(answer, called);
  return answer;
}

function headersOf(request: ApiRequest, userAgent: string): string[] {
  const own = { Accept: 'application/json', 'User-Agent': userAgent };
  const typed = request.body && request.contentType ? { 'Content-Type': request.contentType } : {};
  return Object.entries({ ...own, ...typed, ...request.headers }).flat();
}
