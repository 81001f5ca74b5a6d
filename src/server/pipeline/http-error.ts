import { STATUS_CODES } from 'node:http';
import { ServiceError, serviceErrorCode } from '../../errors.js';
import type { Check, Explanation } from '../explain/refusal.js';

/** What belongs to a refusal beyond its answer's body. */
interface RefusalDetails {
  /** The check that was not passed; default `request`. */
  readonly check?: Check | undefined;
  /** Tells the log and the journal more than the message does, thoroughly or at a glance; never in the answer. */
  readonly explain?: ((thoroughly: boolean) => Explanation) | undefined;
  /** Whether explaining takes more than a glance, so that it has to be rationed. */
  readonly takesWork?: boolean | undefined;
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A request that is answered with an error: the one form of a refusal, from the check that throws it to the answer, the
 * log and the journal; and what `control` throws, so that tests see the errors that clients see.
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

/** There is nothing at this path, or nothing of this organization's [ours]. */
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
