import { STATUS_CODES } from 'node:http';
import { ServiceError, serviceErrorCode } from '../../errors/errors.js';
import type { Explanation, RefusalCause } from '../../signing/refusals/refusal.js';

interface RefusalDetails extends RefusalCause {
  /** Flat: names and values. */
  readonly headers?: readonly string[] | undefined;
}

/** An error response of the service or the control API. */
export class HttpError extends ServiceError {
  readonly statusCode: number;
  readonly refusal: RefusalDetails;

  constructor(
    statusCode: number,
    message = STATUS_CODES[statusCode] ?? 'Error',
    refusal: RefusalDetails = {},
  ) {
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
  return new HttpError(413, 'Payload Too Large', { check: 'body', headers: closing });
}

/** Nothing was done, so the request can be repeated. */
export function tooMuchInFlight(headers: readonly string[] = []): HttpError {
  return new HttpError(503, 'Service Unavailable', {
    check: 'request',
    explain: () => ({ reason: 'too many large requests and responses are in progress' }),
    headers: ['Retry-After', '1', ...headers],
  });
}
