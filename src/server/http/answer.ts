import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { type ErrorBody, quotaExceededMessage } from '../../api/error-message.js';
import { readMessage, ServiceError, serviceErrorCode } from '../../errors/errors.js';
import type { Explanation, RefusalCause } from '../../signing/refusals/refusal.js';
import { OutcomeUnknown, StoreBroken, StoreUnavailable } from '../../storage/engine.js';
import { QuotaExceeded } from '../../storage/quotas.js';
import { printJson } from '../../text/exact-json.js';

/** A response. Its list of headers (names and values) goes to the client and into the journal. */
export interface Answer {
  readonly status: number;
  readonly headers: string[];
  readonly body: string | Buffer | Readable;
}

export const jsonType = 'application/json; charset=utf-8';

/** A response in JSON; without a body if the value is `undefined`. */
export function jsonAnswer(status: number, value?: unknown): Answer {
  if (value === undefined) return { status, headers: [], body: '' };
  return { status, headers: ['Content-Type', jsonType], body: printJson(value) };
}

/** The cause of a refusal, and headers of its response: names and values. */
type Refusal = RefusalCause & { readonly headers?: readonly string[] };

/** An error response of the service or the control API. */
export class HttpError extends ServiceError {
  readonly statusCode: number;
  readonly refusal: Refusal;

  constructor(statusCode: number, message = STATUS_CODES[statusCode] ?? 'Error', refusal: Refusal = {}) {
    super(serviceErrorCode(statusCode), message, { status: statusCode });
    this.statusCode = statusCode;
    this.refusal = refusal;
  }
}

export const closing: readonly string[] = ['Connection', 'close'];

/** The response to an unknown path or ID, including an ID of another organization. */
export function refuseNotFound(explain?: () => Explanation): HttpError {
  return new HttpError(404, undefined, { check: 'route', explain, isExpensive: true });
}

export function badRequest(message: string, check: 'query' | 'body' = 'body'): HttpError {
  return new HttpError(400, message, { check });
}

export function payloadTooLarge(): HttpError {
  return new HttpError(413, 'Payload Too Large', { check: 'body' });
}

/** Memory is short. Nothing was done, so the request can be repeated. */
export function tooMuchInFlight(headers: readonly string[] = []): HttpError {
  return new HttpError(503, 'Service Unavailable', {
    check: 'request',
    explain: () => ({ reason: 'too many large requests and responses are in progress' }),
    headers: ['Retry-After', '1', ...headers],
  });
}

/** The response to a refused request; the message is for the client. */
export function errorAnswer({ statusCode, message, refusal: { headers = [] } }: HttpError): Answer {
  const body = JSON.stringify({ statusCode, message } satisfies ErrorBody);
  return { status: statusCode, headers: ['Content-Type', jsonType, ...headers], body };
}

const unavailableMessage = 'Service Unavailable: the data cannot be read or written; nothing was changed';
const outcomeUnknownMessage =
  'Service Unavailable: the outcome is unknown; the request may have been carried out';

/** Chooses the response to an error; hides the details of unexpected ones. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof QuotaExceeded) {
    const message = quotaExceededMessage(error.limit, error.kind, error.used);
    const remedy = { step: 'raise-limit', kind: error.kind, limit: error.used + 1 } as const;
    return new HttpError(403, message, { check: 'quota', explain: () => ({ reason: message, remedy }) });
  }
  const cause = { check: 'server', explain: () => ({ reason: readMessage(error) }) } as const;
  // No Retry-After: the change may have been made, so clients must not repeat it blindly.
  if (error instanceof OutcomeUnknown) return new HttpError(503, outcomeUnknownMessage, cause);
  if (!(error instanceof StoreUnavailable)) return new HttpError(500, undefined, cause);
  const headers = error instanceof StoreBroken ? [] : ['Retry-After', '1'];
  return new HttpError(503, unavailableMessage, { ...cause, headers });
}
