import { STATUS_CODES } from 'node:http';
import { ServiceError, serviceErrorCode } from '../../errors/errors.js';
import type { Check, Explanation } from './refusal.js';

/** Details of a refusal besides its answer's body. */
interface RefusalDetails {
  /** The check that was not passed; default `request`. */
  readonly check?: Check | undefined;
  /** Explains the refusal for log and journal, thoroughly or superficially; never in the answer. */
  readonly explain?: ((thoroughly: boolean) => Explanation) | undefined;
  /** Whether explaining is expensive, and so has to be limited. */
  readonly takesWork?: boolean | undefined;
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A refused request: one type from the check that throws it to the answer, the log and the journal. `control` throws
 * it, too, so that tests see the same errors as clients.
 */
export class HttpError extends ServiceError {
  readonly statusCode: number;
  readonly refusal: RefusalDetails;

  /** Without a message, the text of the status. */
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

/** There is nothing at this path, or nothing that belongs to the organization [ours]. */
export function notFound(): HttpError {
  return new HttpError(404, undefined, { check: 'route' });
}

/** The request itself is wrong; the message says what about it [ours]. */
export function badRequest(message: string, check: 'query' | 'body' = 'body'): HttpError {
  return new HttpError(400, message, { check });
}

/** The body is over the limit [ours]. */
export function payloadTooLarge(): HttpError {
  return new HttpError(413, 'Payload Too Large', { check: 'body' });
}
