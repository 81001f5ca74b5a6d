import { STATUS_CODES } from 'node:http';
import { ServiceError, serviceErrorCode } from '../../errors/errors.js';
import type { RefusalCause } from '../../signing/refusals/refusal.js';

interface RefusalDetails extends RefusalCause {
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A refused request, from the check that throws it to response, log and journal; `control` throws it, too. */
export class HttpError extends ServiceError {
  readonly statusCode: number;
  readonly refusal: RefusalDetails;

  /** Without a message, the status's own text. */
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

/** Nothing at this path, or nothing of the organization [ours]. */
export function refuseNotFound(): HttpError {
  return new HttpError(404, undefined, { check: 'route' });
}

export function badRequest(message: string, check: 'query' | 'body' = 'body'): HttpError {
  return new HttpError(400, message, { check });
}

export function payloadTooLarge(): HttpError {
  return new HttpError(413, 'Payload Too Large', { check: 'body' });
}
