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
import { bodyWithoutSent } from '../answers/hide-sent.js';
import {
  type Answer,
  AnswerTooLargeError,
  ExchangeFailure,
  ExchangeTimeoutError,
  isCoded,
  NoStatusError,
} from '../exchange/exchange.js';
import { firstLine } from '../exchange/json-body.js';
import { type Called, isChanging } from '../exchange/request.js';
import {
  adviseScheme,
  explainFailure,
  isClosedByPeer,
  isNoStatus,
  isParserError,
  type TimeAllowed,
} from './failures.js';

export interface RequestContext {
  readonly origin: string;
  readonly allowed: TimeAllowed;
  readonly signal: AbortSignal;
  /** Whether the service speaks HTTP or HTTPS as `origin` says; if so, no other scheme is suggested. */
  readonly isSchemeSure?: boolean;
}

/**
 * Maps a failed attempt to an error: by default a NetworkError; an OutcomeUnknownError if a change may have been made;
 * a ServiceError for a broken, oversized or non-HTTP response; a UsageError for an invalid request. After an abort,
 * returns its reason, or an InterruptedError with more details.
 */
export function failureError(failure: unknown, called: Called, way: RequestContext): unknown {
  if (!(failure instanceof ExchangeFailure)) return failure;
  const { cause, delivered } = failure;
  const isEnded = way.signal.aborted && cause === way.signal.reason;
  const isUnknown = delivered && isChanging(called) && !isOutcomeKnown(failure);
  // A UsageError: the client was closed.
  if (isUnknown && (!isEnded || cause instanceof UsageError)) return outcomeUnknown(failure, called, way);
  if (isEnded) return explainEnd(cause, failure, called);
  if (!delivered && isUnsendable(cause)) return unsendable(cause, called);
  const broken = brokenAnswer(failure);
  if (broken !== undefined) return badAnswer(broken, failure, called);
  const { reason, lasts = false, ...advice } = explainFailure(cause, delivered, way.allowed);
  return new NetworkError(`${way.origin}: ${reason}`, {
    ...describeFailure(failure, called),
    ...advice,
    ...(way.isSchemeSure !== true && adviseScheme(cause, way.origin)),
    retryable: !lasts,
  });
}

/** Whether the status shows the outcome: refused, or carried out with too large a response. */
function isOutcomeKnown({ cause, partial }: ExchangeFailure): boolean {
  return partial !== undefined && (partial.status >= 300 || cause instanceof AnswerTooLargeError);
}

function brokenAnswer({ cause, partial }: ExchangeFailure): string | undefined {
  if (cause instanceof AnswerTooLargeError) return cause.message;
  if (cause instanceof ExchangeTimeoutError) return undefined;
  if (partial !== undefined) return 'the response was cut off';
  const code = readSystemCode(cause) ?? '';
  if (/HEADERS?_OVERFLOW$/.test(code)) return 'the response headers are too large';
  if (isClosedByPeer(cause)) return undefined;
  const reason = isNoStatus(cause) ? new NoStatusError().message : readMessage(cause);
  return isNoStatus(cause) || isParserError(cause) ? `the response is not HTTP/1.1 (${reason})` : undefined;
}

/** Node's client, undici and the signing layer refuse invalid requests before connecting, mostly because of a header. */
function isUnsendable(cause: unknown): boolean {
  const code = readSystemCode(cause) ?? '';
  return (
    cause instanceof TypeError ||
    cause instanceof UsageError ||
    ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(code)
  );
}

function unsendable(cause: unknown, called: Called): UsageError {
  return new UsageError(`${called.method} ${called.target} cannot be sent: ${readMessage(cause)}`, {
    method: called.method,
    path: called.target,
    cause,
  });
}

function outcomeUnknown(failure: ExchangeFailure, called: Called, way: RequestContext): OutcomeUnknownError {
  const { reason } = explainFailure(failure.cause, true, way.allowed);
  const status = failure.partial?.status;
  const answered =
    status === undefined
      ? 'was sent, but no response came'
      : `returned ${status}, but the response was cut off`;
  const isDone = status !== undefined && status >= 200 && status < 300;
  const outcome = isDone
    ? 'the status says that it was carried out'
    : 'it may or may not have been carried out';
  return new OutcomeUnknownError(`${called.method} ${called.target} ${answered} (${reason}); ${outcome}`, {
    ...describeFailure(failure, called),
    retryable: false,
    hint: 'check before you repeat it',
  });
}

function explainEnd(reason: unknown, { delivered, partial }: ExchangeFailure, called: Called): unknown {
  if (!(reason instanceof InterruptedError) || !delivered || !isChanging(called)) return reason;
  return new InterruptedError(reason.signal, {
    method: called.method,
    path: called.target,
    answer: partial,
    hint: `${called.method} ${called.target} was sent and may have been carried out; check now and a minute later`,
  });
}

function badAnswer(what: string, failure: ExchangeFailure, called: Called): ServiceError {
  const { partial, cause } = failure;
  const status = partial === undefined ? '' : ` returned ${partial.status}, but`;
  return new ServiceError(
    'server',
    `${called.method} ${called.target}${status === '' ? ':' : status} ${what}${beginning(partial, called)}`,
    {
      ...describeFailure(failure, called),
      retryable: !isChanging(called) && !(cause instanceof AnswerTooLargeError),
      ...(isChanging(called) && { hint: 'check before you repeat it' }),
    },
  );
}

function beginning(partial: Answer | undefined, called: Called): string {
  const line =
    partial === undefined || isCoded(partial) || isChanging(called)
      ? ''
      : firstLine(bodyWithoutSent(partial));
  return line === '' ? '' : `; it began: ${JSON.stringify(line)}`;
}

function describeFailure(failure: ExchangeFailure, called: Called): ErrorDetails {
  return {
    method: called.method,
    path: called.target,
    status: failure.partial?.status,
    answer: failure.partial,
    cause: failure,
  };
}
