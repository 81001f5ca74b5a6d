import type { Dispatcher } from 'undici';
import type { AuthMode } from '../../api/option-values.js';
import { version } from '../../platform/version.js';
import { withoutSecrets } from '../../redaction/redact.js';
import { sentSecrets } from '../../redaction/sent-secrets.js';
import type { Credential } from '../../signing/basic/basic.js';
import { longestTimer } from '../../text/duration.js';
import { answerError, redirectError } from '../answers/answer-error.js';
import { rememberSent } from '../answers/hide-sent.js';
import { clockSkew, parseHttpDate } from '../answers/time-headers.js';
import { type Answer, ExchangeFailure, exchange } from '../exchange/exchange.js';
import { type ApiRequest, calledAs } from '../exchange/request.js';
import type { RetryPolicy } from '../exchange/retry.js';
import type { Forms } from '../reading/forms.js';
import { signingDispatch } from '../signing/signing-dispatch.js';
import type { TimeAllowed } from './explain-failure.js';
import { failureError } from './failure-error.js';
import { hideFromTrace, listCredentialSecrets, type Trace, traceAnswer, traceInterceptor } from './trace.js';

const maxAnswerBytes = 64 * 1024 * 1024;

/** Smallest skew to correct, in milliseconds: `Date` has whole seconds, and responses take time. */
const noticedSkew = 2000;

/** How far the service's clock is ahead; updated when the service refuses a timestamp. */
export interface ClockSkew {
  milliseconds: number;
}

export interface TransportOptions
  extends Partial<Pick<RetryPolicy, 'retries' | 'deadline' | 'failsFast' | 'onRetry' | 'random' | 'wait'>> {
  readonly dispatcher: Dispatcher;
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
  /** Sees every exchange as it is sent and received. */
  readonly watch?: Dispatcher.DispatcherComposeInterceptor | undefined;
}

type ExchangerOptions = TransportOptions & Required<Pick<TransportOptions, 'timeout' | 'deadline' | 'note'>>;

/** Makes attempts: authenticates, sends, reads, and turns every status except 2xx into an error. */
export class Exchanger {
  readonly #options: ExchangerOptions;
  readonly #clock: () => number;
  readonly #trace: Trace | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #skew: ClockSkew;
  /** Milliseconds by which the service's clock is ahead, from the last `Date` header. */
  #ahead: number | undefined;
  /** Whether a response came, also one that broke off. */
  #isAnswered = false;

  constructor(options: ExchangerOptions) {
    const { credential, origin, auth, clock = () => Date.now(), trace, skew = { milliseconds: 0 } } = options;
    const sign = signingDispatch({
      ...credential,
      origin,
      auth,
      clock: () => clock() + skew.milliseconds,
    });
    this.#clock = clock;
    this.#skew = skew;
    this.#options = options;
    this.#trace = trace && hideFromTrace(trace, credential);
    // The last interceptor sees a request first, so signing comes before tracing.
    const tracing = this.#trace === undefined ? [] : [traceInterceptor(this.#trace)];
    const watching = options.watch ?? [];
    this.#dispatcher = options.dispatcher.compose([watching, ...tracing, sign].flat());
  }

  async attempt(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#exchangeInTime(request, end, signal);
    if (answer.status < 300) return answer;
    const shown = this.#withoutSecret(answer, request);
    if (answer.status < 400) throw redirectError(shown);
    throw answerError(shown, this.#clock(), this.#options.credential.keyId, this.#options.forms);
  }

  #remember(answer: Answer, request: ApiRequest): Answer {
    rememberSent(answer, () => [...listCredentialSecrets(this.#options.credential), ...sentSecrets(request)]);
    return answer;
  }

  get ahead(): number | undefined {
    return this.#ahead;
  }

  serviceTime(): number {
    return this.#clock() + (this.#ahead ?? 0);
  }

  #withoutSecret(answer: Answer, request: ApiRequest): Answer {
    const secrets = listCredentialSecrets(this.#options.credential);
    if (!secrets.some((secret) => answer.body.includes(secret))) return answer;
    const body = Buffer.from(withoutSecrets(answer.body.toString('utf8'), secrets));
    return this.#remember({ ...answer, body }, request);
  }

  /** After a refused timestamp, signs by the service's clock and sends again; that does not count as a retry. */
  async #exchangeInTime(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
    const { auth, origin } = this.#options;
    const signedWith = this.#skew.milliseconds;
    const answer = await this.#exchange(request, end, signal);
    const skew = auth === 'basic' ? undefined : clockSkew(answer, origin, this.#clock());
    if (skew === undefined || Math.abs(skew - signedWith) < noticedSkew) return answer;
    await this.#correct(skew);
    return this.#exchange(request, end, signal);
  }

  async #correct(skew: number): Promise<void> {
    // Another request, refused at the same time, may have corrected the skew.
    if (Math.abs(skew - this.#skew.milliseconds) < noticedSkew) return;
    this.#skew.milliseconds = skew;
    const seconds = Math.round(Math.abs(skew) / 1000);
    const direction = skew < 0 ? 'behind' : 'ahead of';
    await this.#options.note(
      `the service's clock is ${seconds} s ${direction} this machine's; signing with the service's clock`,
    );
  }

  async #exchange(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
    const { origin, prefix, userAgent = `orgctl/${version}` } = this.#options;
    const { method, body = null } = request;
    const path = `${prefix}${request.target}`;
    const headers = makeHeaders(request, userAgent);
    const allowed = this.#timeAllowed(request, end);
    const started = performance.now();
    try {
      const limits = { signal, timeout: allowed.timeout, maxBytes: maxAnswerBytes };
      const answer = await exchange(this.#dispatcher, { origin, path, method, headers, body }, limits);
      this.#isAnswered = true;
      this.#remember(answer, request);
      const date = parseHttpDate(answer.headers['date']);
      if (date !== undefined) this.#ahead = date - this.#clock();
      if (this.#trace !== undefined) traceAnswer(this.#trace, answer, performance.now() - started);
      return answer;
    } catch (failure) {
      if (failure instanceof ExchangeFailure && failure.partial !== undefined) {
        this.#isAnswered = true;
        this.#remember(failure.partial, request);
      }
      const way = { origin, allowed, signal, isSchemeSure: this.#isAnswered };
      throw failureError(failure, calledAs(method, path), way);
    }
  }

  #timeAllowed(request: ApiRequest, end: number): TimeAllowed {
    const { timeout, deadline: longest } = this.#options;
    const deadline = Math.min(longest, request.deadline ?? longest);
    const remaining = Math.max(1, end - performance.now());
    return remaining < timeout
      ? { timeout: Math.min(remaining, longestTimer), option: 'deadline', value: deadline }
      : { timeout: Math.min(timeout, longestTimer), option: 'timeout', value: timeout };
  }
}

/** Alternating names and values; the request's own headers replace defaults. */
function makeHeaders({ body, contentType, headers = {} }: ApiRequest, userAgent: string): string[] {
  const all: readonly (readonly [name: string, value: string])[] = [
    ['Accept', 'application/json'],
    // Without this header, a service may choose any coding (RFC 9110, section 12.5.3).
    ['Accept-Encoding', 'identity'],
    ['User-Agent', userAgent],
    ...(body?.byteLength && contentType ? [['Content-Type', contentType] as const] : []),
    ...Object.entries(headers),
  ];
  return [...new Map(all.map(([name, value]) => [name.toLowerCase(), [name, value]])).values()].flat();
}
