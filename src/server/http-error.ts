/** A request that is answered with an error. */
export class HttpError extends Error {
  readonly statusCode: number;
  /** What the log says beyond the message; never in the answer. */
  readonly reason: string | undefined;

  constructor(statusCode: number, message: string, reason?: string) {
    super(message);
    this.name = 'HttpError';
    this.statusCode = statusCode;
    this.reason = reason;
  }
}

/** There is nothing at this path, or nothing of this organization's [ours]. */
export function notFound(): HttpError {
  return new HttpError(404, 'Not Found');
}

/** The request itself is wrong; the message says what about it [ours]. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, message);
}

/** The body is over the limit [ours]. */
export function payloadTooLarge(): HttpError {
  return new HttpError(413, 'Payload Too Large');
}
