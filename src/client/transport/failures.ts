import { systemStore } from '../../api/option-values.js';
import { type Advice, doctorCommand, whoamiCommand } from '../../errors/advice.js';
import {
  type ErrorDetails,
  InterruptedError,
  NetworkError,
  OutcomeUnknownError,
  readMessage,
  readSystemCode,
  ServiceError,
  UsageError,
} from '../../errors/errors.js';
import { formatDuration } from '../../text/duration.js';
import { bodyWithoutSent } from '../answers/hide-sent.js';
import {
  AnswerTooLargeError,
  ExchangeFailure,
  ExchangeTimeoutError,
  NoStatusError,
} from '../exchange/exchange.js';
import { firstLine } from '../exchange/json-body.js';
import { type Called, isChanging } from '../exchange/request.js';
import { ProxyError } from '../network/proxy.js';

/** Why there was no complete response, and what may help. */
interface FailureExplanation extends Advice {
  readonly reason: string;
  /** Set if retrying does not help. */
  readonly lasts?: true;
}

/** The time limit of an attempt, in milliseconds, and the option that set it. */
export interface TimeAllowed {
  readonly timeout: number;
  readonly option: 'timeout' | 'deadline';
  /** Value of the option; a deadline covers all attempts and waits. */
  readonly value: number;
}

const checkAddress = { hint: 'check the address', next: whoamiCommand, lasts: true } as const;
const checkClock = { hint: 'check the clock of this machine: date' };
const noTls = {
  reason: 'it does not speak TLS',
  hint: 'check the port, and that the service speaks https there',
  lasts: true,
} as const;
const ownCa = `if your own CA signed it, choose its certificate as the CA file, or ${JSON.stringify(systemStore)} if this machine trusts it; to find out which`;
const untrusted = (code: string, why = '', hint = '') => ({
  reason: `its certificate is not trusted (${code})${why}`,
  hint: `${hint}${ownCa}`,
  next: doctorCommand,
  lasts: true as const,
});
const closed = { reason: 'the connection was closed before the response was complete' };

/** By the codes of Node's, OpenSSL's and undici's errors. */
const byCode: ReadonlyMap<string, FailureExplanation> = new Map<string, FailureExplanation>([
  ['ENOTFOUND', { reason: 'the host name was not found', ...checkAddress }],
  ['EAI_AGAIN', { reason: 'the host name could not be looked up', ...checkAddress }],
  [
    'ECONNREFUSED',
    {
      reason: 'the connection was refused',
      hint: 'is the service running there? See which address is used',
      next: whoamiCommand,
    },
  ],
  ['CERT_HAS_EXPIRED', { reason: 'its certificate has expired', ...checkClock }],
  ['CERT_NOT_YET_VALID', { reason: 'its certificate is not valid yet', ...checkClock }],
  ['ERR_TLS_CERT_ALTNAME_INVALID', { reason: 'its certificate is for another host name', ...checkAddress }],
  ['INVALID_PURPOSE', { reason: 'its certificate is not for servers', ...checkAddress }],
  // For bytes that are not a TLS record; which of them depends on the bytes and on OpenSSL's version.
  ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'].map((code) => [code, noTls] as const),
  [
    // The service sent one certificate, and its issuer is not known here.
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    untrusted(
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      ': it came without the intermediate certificate of its issuer, or its issuer is unknown',
      'if a public CA signed it, the service must send the intermediate certificate, too; ',
    ),
  ],
  ...[
    ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_GET_ISSUER_CERT'],
    ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_UNTRUSTED', 'CERT_SIGNATURE_FAILURE', 'INVALID_CA'],
  ].map((code) => [code, untrusted(code)] as const),
  ...['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].map((code) => [code, closed] as const),
]);

/** @param delivered whether the request may have reached the service */
export function explainFailure(cause: unknown, delivered: boolean, allowed: TimeAllowed): FailureExplanation {
  if (cause instanceof ExchangeTimeoutError) return explainTimeout(delivered, allowed);
  if (cause instanceof ProxyError) return explainProxy(cause, allowed);
  if (isClosedByPeer(cause)) {
    return delivered ? closed : { reason: 'the connection was closed before the request could be sent' };
  }
  const code = readSystemCode(cause) ?? '';
  const known = byCode.get(code);
  if (known !== undefined) return known;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return { reason: `the TLS handshake failed (${code})`, hint: 'check the port and the TLS versions' };
  }
  return { reason: readMessage(cause) || code || 'no connection' };
}

function isClosedByPeer(cause: unknown): boolean {
  // undici's parser has neither code nor data if a chunked body ends with its connection.
  const isEndOfBytes = isParserError(cause) && 'data' in cause && cause.data === '';
  return isEndOfBytes || byCode.get(readSystemCode(cause) ?? '') === closed;
}

const parserErrors = /^(?:HTTPParserError|ResponseContentLengthMismatchError|HeadersOverflowError)$/;

/** Whether the response was not HTTP/1.1, for the parser of Node or undici. */
function isParserError(cause: unknown): cause is Error {
  if (!(cause instanceof Error)) return false;
  return parserErrors.test(cause.name) || readSystemCode(cause)?.startsWith('HPE_') === true;
}

function explainTimeout(delivered: boolean, { option: name, value }: TimeAllowed): FailureExplanation {
  const what = delivered ? 'complete response' : 'connection';
  const when = name === 'timeout' ? 'within' : 'before the deadline of';
  return {
    reason: `no ${what} ${when} ${formatDuration(value)}`,
    hint: `raise the ${name}, for example to ${formatDuration(2 * value)}`,
  };
}

function explainProxy(error: ProxyError, allowed: TimeAllowed): FailureExplanation {
  const { variable, status, cause } = error;
  const name = `the proxy ${error.proxy} (${variable})`;
  const hint = `check ${variable}, or name the service's host in NO_PROXY`;
  if (status === 407) return explainProxyLogin(name, error);
  if (status !== undefined) return { reason: `${name} refused to connect: it returned ${status}`, hint };
  const { reason } = explainFailure(cause, false, allowed);
  const isLate = cause instanceof ExchangeTimeoutError;
  return { reason: isLate ? `${reason} through ${name}` : `${name} cannot be used: ${reason}`, hint };
}

function explainProxyLogin(name: string, { variable, hasPassword, offered }: ProxyError): FailureExplanation {
  const schemes = offered.flatMap((challenge) => /^[\w-]+/.exec(challenge) ?? []).join(' or ');
  if (schemes !== '' && !/\bbasic\b/i.test(schemes)) {
    return {
      reason: `${name} requires ${schemes} authentication, and orgctl speaks only Basic`,
      hint: `use another proxy, or a local one that speaks ${schemes}`,
    };
  }
  if (hasPassword) {
    return {
      reason: `${name} refused the user name and password`,
      hint: `check both in ${variable}; special characters in them must be percent-encoded`,
    };
  }
  return {
    reason: `${name} requires a user name and password`,
    hint: `give both in the variable: ${variable}=http://USER:PASSWORD@HOST:PORT`,
  };
}

export interface RequestContext {
  readonly origin: string;
  readonly allowed: TimeAllowed;
  readonly signal: AbortSignal;
}

/**
 * Maps a failed attempt to an error: by default a NetworkError; an OutcomeUnknownError if a change may have been made;
 * a ServiceError for a broken, oversized or non-HTTP response; a UsageError for an invalid request. After an abort,
 * returns its reason, or an InterruptedError with more details.
 */
export function failureError(failure: unknown, called: Called, way: RequestContext): unknown {
  if (!(failure instanceof ExchangeFailure)) return failure;
  const { cause, delivered, partial } = failure;
  const request = `${called.method} ${called.target}`;
  const isAborted = way.signal.aborted && cause === way.signal.reason;
  const mayBeDone = delivered && isChanging(called) && !isOutcomeKnown(failure);
  const about = { method: called.method, path: called.target, status: partial?.status, answer: partial };
  const details: ErrorDetails = { ...about, cause: failure };
  // A UsageError: the client was closed.
  if (isAborted && !(mayBeDone && cause instanceof UsageError)) {
    if (!(cause instanceof InterruptedError) || !delivered || !isChanging(called)) return cause;
    const hint = `${request} was sent and may have been carried out; check now and a minute later`;
    return new InterruptedError(cause.signal, { ...about, hint });
  }
  if (mayBeDone) {
    const { reason } = explainFailure(cause, true, way.allowed);
    return new OutcomeUnknownError(`${request} ${describeOutcome(partial?.status, reason)}`, {
      ...details,
      retryable: false,
      hint: 'check before you repeat it',
    });
  }
  if (!delivered && isUnsendable(cause)) {
    return new UsageError(`${request} cannot be sent: ${readMessage(cause)}`, { ...details, cause });
  }
  const broken = describeBroken(failure);
  if (broken !== undefined) {
    const what = partial === undefined ? `: ${broken}` : ` returned ${partial.status}, but ${broken}`;
    return new ServiceError('server', `${request}${what}${beginning(failure, called)}`, {
      ...details,
      retryable: !isChanging(called) && !(cause instanceof AnswerTooLargeError),
      ...(isChanging(called) && { hint: 'check before you repeat it' }),
    });
  }
  const { reason, lasts = false, ...advice } = explainFailure(cause, delivered, way.allowed);
  return new NetworkError(`${way.origin}: ${reason}`, { ...details, ...advice, retryable: !lasts });
}

/** Whether the status shows the outcome: refused, or carried out with too large a response. */
function isOutcomeKnown({ cause, partial }: ExchangeFailure): boolean {
  return partial !== undefined && (partial.status >= 300 || cause instanceof AnswerTooLargeError);
}

function describeOutcome(status: number | undefined, reason: string): string {
  if (status === undefined)
    return `was sent, but no response came (${reason}); it may or may not have been carried out`;
  return `returned ${status}, but the response was cut off (${reason}); the status says that it was carried out`;
}

/** Node's client, undici and the signing layer refuse invalid requests before connecting, mostly because of a header. */
function isUnsendable(cause: unknown): boolean {
  const code = readSystemCode(cause) ?? '';
  const isRefused = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(code);
  return isRefused || cause instanceof TypeError || cause instanceof UsageError;
}

/** What is wrong with a response that is not a whole one; `undefined` if none came. */
function describeBroken({ cause, partial }: ExchangeFailure): string | undefined {
  if (cause instanceof AnswerTooLargeError) return cause.message;
  if (cause instanceof ExchangeTimeoutError) return undefined;
  if (partial !== undefined) return 'the response was cut off';
  const isOfOther = cause instanceof NoStatusError || (isParserError(cause) && !isClosedByPeer(cause));
  return isOfOther ? `the response is not HTTP/1.1 (${readMessage(cause)})` : undefined;
}

/** The first line of a response that was cut off, unless it may hold a secret that is shown only once. */
function beginning({ partial }: ExchangeFailure, called: Called): string {
  if (partial === undefined || partial.headers['content-encoding'] !== undefined || isChanging(called))
    return '';
  const line = firstLine(bodyWithoutSent(partial));
  return line === '' ? '' : `; it began: ${JSON.stringify(line)}`;
}
