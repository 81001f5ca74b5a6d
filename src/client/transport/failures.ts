import { type Advice, doctorCommand, whoamiCommand } from '../../errors/advice.js';
import {
  InterruptedError,
  NetworkError,
  OutcomeUnknownError,
  readMessage,
  readSystemCode,
  ServiceError,
  UsageError,
} from '../../errors/errors.js';
import { formatDuration } from '../../text/duration.js';
import { firstLine } from '../answers/decode.js';
import { AnswerTooLargeError, ExchangeFailure, ExchangeTimeoutError } from '../exchange/exchange.js';
import { type Called, checkFirst, isChanging } from '../exchange/request.js';
import type { TimeAllowed } from '../exchange/retry.js';
import { ProxyError } from '../network/proxy.js';

type FailureExplanation = Advice & { readonly reason: string };

const checkAddress = { hint: 'check the address', next: whoamiCommand } as const;
const isRunning = { hint: 'is the service running there? See which address is used', next: whoamiCommand };
const checkClock = { hint: 'check the clock of this machine: date' } as const;
const ownCa =
  'for your own CA, choose its certificate as the CA file, or "system" if this machine trusts it; for a public CA, the service must send the intermediate certificate; to see which it is';

/** Explanations by error codes of Node and OpenSSL. */
const byCode: { readonly [code: string]: FailureExplanation } = {
  ENOTFOUND: { reason: 'the host name was not found', ...checkAddress },
  EAI_AGAIN: { reason: 'the host name could not be looked up', ...checkAddress },
  ECONNREFUSED: { reason: 'the connection was refused', ...isRunning },
  CERT_HAS_EXPIRED: { reason: 'its certificate has expired', ...checkClock },
  CERT_NOT_YET_VALID: { reason: 'its certificate is not valid yet', ...checkClock },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'its certificate is for another host name', ...checkAddress },
  INVALID_PURPOSE: { reason: 'its certificate is not for servers', ...checkAddress },
};

const closing: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Codes of certificate errors, which would recur. */
const certificateCodes = /CERT|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE/;

/** @param delivered whether the request may have reached the service */
export function explainFailure(cause: unknown, delivered: boolean, allowed: TimeAllowed): FailureExplanation {
  if (cause instanceof ExchangeTimeoutError) return explainTimeout(delivered, allowed);
  if (cause instanceof ProxyError) return explainProxy(cause, allowed);
  if (isClosedByPeer(cause))
    return {
      reason: `the connection was closed before the ${delivered ? 'response was complete' : 'request could be sent'}`,
    };
  const code = readSystemCode(cause) ?? '';
  const known = byCode[code];
  if (known !== undefined) return known;
  if (certificateCodes.test(code)) {
    return { reason: `its certificate is not trusted (${code})`, hint: ownCa, next: doctorCommand };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    const hint = 'check the port, and that the service speaks https there';
    return { reason: `the TLS handshake failed (${code})`, hint };
  }
  return { reason: readMessage(cause) || code || 'no connection' };
}

function isClosedByPeer(cause: unknown): boolean {
  return closing.has(readSystemCode(cause) ?? '');
}

const parserErrors = /^(?:HTTPParserError|ResponseContentLengthMismatchError|HeadersOverflowError)$/;

/** Whether Node's or undici's parser refused the response. */
function isParserError(cause: unknown): cause is Error {
  const code = readSystemCode(cause) ?? '';
  return cause instanceof Error && (parserErrors.test(cause.name) || code.startsWith('HPE_'));
}

function explainTimeout(delivered: boolean, { option: name, value }: TimeAllowed): FailureExplanation {
  const what = delivered ? 'complete response' : 'connection';
  const when = name === 'timeout' ? 'within' : 'before the deadline of';
  return {
    reason: `no ${what} ${when} ${formatDuration(value)}`,
    hint: `raise the ${name}, for example to ${formatDuration(2 * value)}`,
  };
}

function explainProxy(
  { proxy, variable, status, cause }: ProxyError,
  allowed: TimeAllowed,
): FailureExplanation {
  const login = status === 407 ? ' and the user name and password in it (orgctl speaks only Basic)' : '';
  const why =
    status === undefined
      ? `cannot be used: ${explainFailure(cause, false, allowed).reason}`
      : `refused to connect: it returned ${status}`;
  const hint = `check ${variable}${login}, or name the service's host in NO_PROXY`;
  return { reason: `the proxy ${proxy} ${why}`, hint };
}

export interface RequestContext {
  readonly origin: string;
  readonly allowed: TimeAllowed;
  readonly signal: AbortSignal;
}

/**
 * The error for a failed attempt: an OutcomeUnknownError if a change may have been made, a ServiceError for a broken
 * response, a UsageError for an invalid request, otherwise a NetworkError; after an abort, its reason.
 */
export function failureError(failure: unknown, called: Called, way: RequestContext): unknown {
  if (!(failure instanceof ExchangeFailure)) return failure;
  const { cause, delivered, partial } = failure;
  const { method, target: path } = called;
  const request = `${method} ${path}`;
  const isChange = isChanging(called);
  const isAborted = way.signal.aborted && cause === way.signal.reason;
  const mayBeDone = delivered && isChange && !isOutcomeKnown(failure);
  const details = { method, path, status: partial?.status, answer: partial, cause: failure };
  // A UsageError means that the client was closed.
  if (isAborted && !(mayBeDone && cause instanceof UsageError)) {
    if (!(cause instanceof InterruptedError) || !delivered || !isChange) return cause;
    const hint = `${request} was sent and may have been carried out; check now and a minute later`;
    return new InterruptedError(cause.signal, { ...details, hint });
  }
  if (mayBeDone) {
    const { reason } = explainFailure(cause, true, way.allowed);
    return new OutcomeUnknownError(`${request} ${describeOutcome(partial?.status, reason)}`, {
      ...details,
      retryable: false,
      ...checkFirst,
    });
  }
  if (!delivered && isUnsendable(cause)) {
    return new UsageError(`${request} cannot be sent: ${readMessage(cause)}`, { ...details, cause });
  }
  const broken = describeBroken(failure);
  if (broken !== undefined) {
    const what = partial === undefined ? `: ${broken}` : ` returned ${partial.status}, but ${broken}`;
    return new ServiceError('server', `${request}${what}${isChange ? '' : beginning(failure)}`, {
      ...details,
      retryable: !isChange && !(cause instanceof AnswerTooLargeError),
      ...(isChange && checkFirst),
    });
  }
  const { reason, ...advice } = explainFailure(cause, delivered, way.allowed);
  const retryable = !certificateCodes.test(readSystemCode(cause) ?? '');
  return new NetworkError(`${way.origin}: ${reason}`, { ...details, ...advice, retryable });
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

/** What is wrong with the response; `undefined` if none came, or after a timeout. */
function describeBroken({ cause, partial }: ExchangeFailure): string | undefined {
  if (cause instanceof AnswerTooLargeError) return cause.message;
  if (cause instanceof ExchangeTimeoutError) return undefined;
  if (partial !== undefined) return 'the response was cut off';
  return isParserError(cause) && !isClosedByPeer(cause)
    ? `the response is not HTTP/1.1 (${readMessage(cause)})`
    : undefined;
}

/** Quotes the first line of a response that was cut off. Not for changes: their response may hold a new secret. */
function beginning({ partial }: ExchangeFailure): string {
  if (partial === undefined || partial.headers['content-encoding'] !== undefined) return '';
  const line = firstLine(partial);
  return line === '' ? '' : `; it began: ${JSON.stringify(line)}`;
}
