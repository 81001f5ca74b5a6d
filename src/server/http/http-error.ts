import { STATUS_CODES } from 'node:http';
import { ServiceError, serviceErrorCode } from '../../errors/errors.js';
import type { Explanation, RefusalCause } from '../../signing/refusals/refusal.js';

interface RefusalDetails extends RefusalCause {
  readonly headers?: Readonly<Record<string, string>> | undefined;
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
