import { type AuthMode, defaultPatience } from '../../api/option-values.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { version } from '../../platform/version.js';
import { withoutSecrets } from '../../redaction/redact.js';
import { sentSecrets } from '../../redaction/sent-secrets.js';
import { basicAuthorization, type Credential } from '../../signing/basic/basic.js';
import { isOriginForm, parseBaseUrl } from '../../text/base-url.js';
import { answerError, redirectError } from '../answers/answer-error.js';
import { rememberSent } from '../answers/decode.js';
import { clockSkew, parseHttpDate } from '../answers/time-headers.js';
import { type Answer, ExchangeFailure, exchange, type Sender, underSignals } from '../exchange/exchange.js';
import { type ApiRequest, calledAs, findMethodOverride } from '../exchange/request.js';
import { allowTime, type RetryPolicy, withRetries } from '../exchange/retry.js';
import { type Forms, knownForms } from '../reading/forms.js';
import { type HeaderPair, withCredential } from '../signing/authenticate.js';
import { failureError } from './failures.js';
import { type Trace, traceAnswer, traceRequest } from './trace.js';

const maxAnswerBytes = 64 * 1024 * 1024;

/** Smallest skew to correct, in milliseconds: `Date` has whole seconds, and responses take time. */
const noticedSkew = 2000;

export interface TransportOptions extends Partial<RetryPolicy> {
  readonly sender: Sender;
  readonly origin: string;
  /** The base URL's path without a trailing slash; part of every target on the wire. */
  readonly prefix: string;
  readonly credential: Credential;
  readonly auth?: AuthMode | undefined;
  readonly clock?: (() => number) | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly userAgent?: string | undefined;
  /** Receives requests and responses as lines, with secrets masked. Lines may contain control characters. */
  readonly trace?: Trace | undefined;
  /** Forms of responses to expect; default: all known forms. */
  readonly forms?: Forms | undefined;
}

const withDefaults = (options: TransportOptions) => ({
  ...options,
  timeout: options.timeout ?? defaultPatience.timeout,
  deadline: options.deadline ?? defaultPatience.deadline,
  retries: options.retries ?? defaultPatience.retries,
  note: options.note ?? (() => undefined),
  clock: options.clock ?? (() => Date.now()),
  forms: options.forms ?? knownForms,
});

type Settings = ReturnType<typeof withDefaults>;

export type Transport = ReturnType<typeof createTransport>;

/**
 * Sends authenticated requests, and returns only 2xx responses. Authenticates each attempt separately.
 * @throws UsageError for an origin that is neither `https:` nor loopback
 */
export function createTransport(options: TransportOptions) {
  const settings = withDefaults(options);
  const { origin, prefix, sender, credential, forms, deadline: longest } = settings;
  parseBaseUrl(origin);
  const closing = new AbortController();
  const { attempt, ahead } = makeAttempts(settings);
  return {
    ...{ deadline: longest, keyId: credential.keyId, origin, prefix, forms, ahead },
    /**
     * @param left milliseconds left of a deadline that several requests share
     * @throws the errors of `ResourceCalls`; ConfigError for a request that a read-only transport refuses
     */
    async send(request: ApiRequest, left = request.deadline): Promise<Answer> {
      if (settings.readOnly) assertReading(request);
      if (!isOriginForm(request.target)) throw targetError(request);
      if (closing.signal.aborted) throw closing.signal.reason;
      const deadline = Math.min(longest, left ?? longest);
      const signals = [closing.signal, settings.signal, request.signal].filter((one) => one !== undefined);
      return underSignals(signals, ({ signal }) =>
        withRetries((end) => attempt(request, end, signal), { ...settings, deadline, signal }),
      );
    },
    async close(): Promise<void> {
      closing.abort(new UsageError('this client is closed', { hint: 'open another with createClient()' }));
      await sender.close();
    },
  };
}

function makeAttempts(settings: Settings) {
  const { origin, prefix, sender, credential, auth, forms, clock, timeout, deadline, note } = settings;
  const secrets = [credential.secret, basicAuthorization(credential).slice('Basic '.length)];
  const { trace: print } = settings;
  const trace = print && ((line: string) => print(withoutSecrets(line, secrets)));
  /** Milliseconds by which timestamps are corrected. */
  let skew = 0;
  /** Milliseconds that the service's clock is ahead, according to the last `Date`. */
  let ahead: number | undefined;
  const signing = { ...credential, auth, clock: () => clock() + skew };

  function receive(answer: Answer, request: ApiRequest): Answer {
    rememberSent(answer, () => [...secrets, ...sentSecrets(request)]);
    return answer;
  }

  async function exchangeOnce(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
    const { method, body = new Uint8Array() } = request;
    const path = `${prefix}${request.target}`;
    const headers = makeHeaders(request, settings.userAgent);
    const signed = withCredential(headers, signing, { method, target: path, body }).flat();
    const sent = { method, path, headers: signed, body: body.byteLength === 0 ? undefined : body };
    if (trace !== undefined) traceRequest(trace, sent, new URL(origin).host);
    const allowed = allowTime(timeout, Math.min(deadline, request.deadline ?? deadline), end);
    const started = performance.now();
    try {
      const limits = { signal, timeout: allowed.timeout, maxBytes: maxAnswerBytes };
      const answer = receive(await exchange(sender, sent, limits), request);
      const date = parseHttpDate(answer.headers['date']);
      if (date !== undefined) ahead = date - clock();
      if (trace !== undefined) traceAnswer(trace, answer, performance.now() - started);
      return answer;
    } catch (error) {
      if (error instanceof ExchangeFailure && error.partial !== undefined) receive(error.partial, request);
      throw failureError(error, calledAs(method, path), { origin, allowed, signal });
    }
  }

  /** After a refused timestamp, signs by the service's clock and sends again; that does not count as a retry. */
  async function exchangeInTime(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
    const signedWith = skew;
    const answer = await exchangeOnce(request, end, signal);
    const measured = auth === 'basic' ? undefined : clockSkew(answer, clock());
    if (measured === undefined || Math.abs(measured - signedWith) < noticedSkew) return answer;
    // Another request, refused at the same time, may have corrected the skew.
    if (Math.abs(measured - skew) >= noticedSkew) {
      skew = measured;
      await note(describeSkew(measured));
    }
    return exchangeOnce(request, end, signal);
  }

  async function attempt(request: ApiRequest, end: number, signal: AbortSignal): Promise<Answer> {
    const answer = await exchangeInTime(request, end, signal);
    if (answer.status < 300) return answer;
    const isEchoed = secrets.some((secret) => answer.body.includes(secret));
    const hide = (text: string) => Buffer.from(withoutSecrets(text, secrets));
    const shown = isEchoed ? receive({ ...answer, body: hide(answer.body.toString()) }, request) : answer;
    throw answer.status < 400 ? redirectError(shown) : answerError(shown, clock(), credential.keyId, forms);
  }

  return { attempt, ahead: () => ahead };
}

function assertReading({ method, target: sent, headers = {} }: ApiRequest): void {
  const override = findMethodOverride(Object.keys(headers));
  if (method === 'GET' && override === undefined) return;
  const { target } = calledAs(method, sent);
  const called = override === undefined ? `${method} ${target}` : `${method} ${target} with ${override}`;
  throw new ConfigError(`${called}: not sent, because this client is read-only`, {
    method,
    path: target,
    hint: 'use another profile or client for changes',
  });
}

function targetError({ method, target }: ApiRequest): UsageError {
  const message = `${JSON.stringify(target)} is not a valid path: it must begin with a single slash and be percent-encoded`;
  return new UsageError(message, { method, path: target });
}

function describeSkew(skew: number): string {
  const seconds = Math.round(Math.abs(skew) / 1000);
  const direction = skew < 0 ? 'behind' : 'ahead of';
  return `the service's clock is ${seconds} s ${direction} this machine's; signing with the service's clock`;
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
