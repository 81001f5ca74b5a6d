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
  AnswerTooLargeError,
  ExchangeFailure,
  ExchangeTimeoutError,
  NoStatusError,
} from '../exchange/exchange.js';
import { firstLine } from '../exchange/json-body.js';
import { type Called, isChanging } from '../exchange/request.js';
import { explainFailure, isClosedByPeer, isParserError, type TimeAllowed } from './failures.js';

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
