import type { AuthMode } from '../../api/option-values.js';
import { version } from '../../platform/version.js';
import { withoutSecrets } from '../../redaction/redact.js';
import { sentSecrets } from '../../redaction/sent-secrets.js';
import type { Credential } from '../../signing/basic/basic.js';
import { longestTimer } from '../../text/duration.js';
import { answerError, redirectError } from '../answers/answer-error.js';
import { rememberSent } from '../answers/hide-sent.js';
import { clockSkew, parseHttpDate } from '../answers/time-headers.js';
import {
  type Answer,
  ExchangeFailure,
  ExchangeTimeoutError,
  exchange,
  type Sender,
} from '../exchange/exchange.js';
import { type ApiRequest, calledAs } from '../exchange/request.js';
import type { RetryPolicy } from '../exchange/retry.js';
import { ProxyError, type ProxySettings } from '../network/proxy.js';
import type { Forms } from '../reading/forms.js';
import { type HeaderPair, withCredential } from '../signing/authenticate.js';
import { failureError, type TimeAllowed } from './failures.js';
import { hideFromTrace, listCredentialSecrets, type Trace, traceAnswer, traceRequest } from './trace.js';

const maxAnswerBytes = 64 * 1024 * 1024;

/** Smallest skew to correct, in milliseconds: `Date` has whole seconds, and responses take time. */
const noticedSkew = 2000;

/** How far the service's clock is ahead; updated when the service refuses a timestamp. */
export interface ClockSkew {
  milliseconds: number;
}

export interface TransportOptions
  extends Partial<Pick<RetryPolicy, 'retries' | 'deadline' | 'onRetry' | 'random' | 'wait'>> {
  readonly sender: Sender;
  readonly origin: string;
  /** The base URL's path without a trailing slash; part of every target on the wire. */
  readonly prefix: string;
  readonly credential: Credential;
  readonly auth?: AuthMode | undefined;
  readonly clock?: (() => number) | undefined;
  readonly timeout?: number;
  readonly readOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly userAgent?: string | undefined;
  /** Transports to the same origin can share this object. */
  readonly skew?: ClockSkew | undefined;
  readonly note?: ((text: string) => void | Promise<void>) | undefined;
  /** Receives requests and responses as lines, with secrets masked. Lines may contain control characters. */
  readonly trace?: Trace | undefined;
  /** Forms of responses to expect; default: all known forms. */
  readonly forms?: Forms | undefined;
}

type AttemptOptions = TransportOptions & Required<Pick<TransportOptions, 'timeout' | 'deadline' | 'note'>>;

/** Makes attempts: authenticates, sends, reads, and turns every status except 2xx into an error. */
export function makeAttempts(options: AttemptOptions) {
  const { sender, credential, origin, prefix, auth, forms, note, clock = () => Date.now() } = options;
  const { skew = { milliseconds: 0 } } = options;
  const secrets = listCredentialSecrets(credential);
  const trace = options.trace && hideFromTrace(options.trace, credential);
  const signing = { ...credential, auth, clock: () => clock() + skew.milliseconds };
  let ahead: number | undefined;

  function receive(answer: Answer, request: ApiRequest): Answer {
    rememberSent(answer, () => [...secrets, ...sentSecrets(request)]);
    return answer;
  }

  async function exchangeOnce(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
    const { method, body = new Uint8Array() } = request;
    const path = `${prefix}${request.target}`;
    const signed = withCredential(makeHeaders(request, options.userAgent), signing, {
      ...{ method, target: path, body },
    });
    const sent = { method, path, headers: signed.flat(), body: body.byteLength === 0 ? undefined : body };
    if (trace !== undefined) traceRequest(trace, sent, new URL(origin).host);
    const allowed = timeAllowed(options, request, end);
    const started = performance.now();
    try {
      const limits = { signal, timeout: allowed.timeout, maxBytes: maxAnswerBytes };
      const answer = receive(await exchange(sender, sent, limits), request);
      const date = parseHttpDate(answer.headers['date']);
      if (date !== undefined) ahead = date - clock();
      if (trace !== undefined) traceAnswer(trace, answer, performance.now() - started);
      return answer;
    } catch (error) {
      const failure = blameProxy(error, sender.proxy);
      if (failure instanceof ExchangeFailure && failure.partial !== undefined)
        receive(failure.partial, request);
      throw failureError(failure, calledAs(method, path), { origin, allowed, signal });
    }
  }

  /** After a refused timestamp, signs by the service's clock and sends again; that does not count as a retry. */
  async function exchangeInTime(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
    const signedWith = skew.milliseconds;
    const answer = await exchangeOnce(request, end, signal);
    const measured = auth === 'basic' ? undefined : clockSkew(answer, origin, clock());
    if (measured === undefined || Math.abs(measured - signedWith) < noticedSkew) return answer;
    // Another request, refused at the same time, may have corrected the skew.
    if (Math.abs(measured - skew.milliseconds) >= noticedSkew) {
      skew.milliseconds = measured;
      await note(describeSkew(measured));
    }
    return exchangeOnce(request, end, signal);
  }

  return {
    async attempt(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
      const answer = await exchangeInTime(request, end, signal);
      if (answer.status < 300) return answer;
      const isEchoed = secrets.some((secret) => answer.body.includes(secret));
      const shown = isEchoed ? receive(withoutSecret(answer, secrets), request) : answer;
      throw answer.status < 400 ? redirectError(shown) : answerError(shown, clock(), credential.keyId, forms);
    },
    /** Milliseconds by which the service's clock is ahead, from the last `Date` header. */
    ahead: () => ahead,
  };
}

function describeSkew(skew: number): string {
  const seconds = Math.round(Math.abs(skew) / 1000);
  const direction = skew < 0 ? 'behind' : 'ahead of';
  return `the service's clock is ${seconds} s ${direction} this machine's; signing with the service's clock`;
}

function withoutSecret(answer: Answer, secrets: readonly string[]): Answer {
  return { ...answer, body: Buffer.from(withoutSecrets(answer.body.toString('utf8'), secrets)) };
}

/** A connection through a proxy that was not open in time: the proxy may never have answered. */
function blameProxy(failure: unknown, proxy: ProxySettings | undefined): unknown {
  const isLate = failure instanceof ExchangeFailure && failure.cause instanceof ExchangeTimeoutError;
  if (proxy === undefined || !isLate || failure.delivered) return failure;
  return new ExchangeFailure(new ProxyError(proxy, { cause: failure.cause }), false, undefined);
}

function timeAllowed(options: AttemptOptions, request: ApiRequest, end: number): TimeAllowed {
  const { timeout } = options;
  const deadline = Math.min(options.deadline, request.deadline ?? options.deadline);
  const remaining = Math.max(1, end - performance.now());
  return remaining < timeout
    ? { timeout: Math.min(remaining, longestTimer), option: 'deadline', value: deadline }
    : { timeout: Math.min(timeout, longestTimer), option: 'timeout', value: timeout };
}

/** The request's own headers replace defaults. */
function makeHeaders(
  { body, contentType, headers = {} }: ApiRequest,
  userAgent = `orgctl/${version}`,
): HeaderPair[] {
  const all: readonly HeaderPair[] = [
    ['Accept', 'application/json'],
    // Without this header, a service may choose any coding (RFC 9110, section 12.5.3).
    ['Accept-Encoding', 'identity'],
    ['User-Agent', userAgent],
    ...(body?.byteLength && contentType ? [['Content-Type', contentType] as const] : []),
    ...Object.entries(headers),
  ];
  return [...new Map(all.map((pair) => [pair[0].toLowerCase(), pair])).values()];
}
