import type { ServerResponse } from 'node:http';
import { type ErrorBody, proxyRefusalStart } from '../api/error-message.js';
import { explainFailure } from '../client/transport/failures.js';
import { via } from './headers.js';

export interface ProxyRefusal {
  readonly status: number;
  /** A clause to follow `orgctl proxy:`. */
  readonly reason: string;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number | undefined;
}

/** Why the service gave no response: 504 if it could not be reached in time, else 502. @param timeout milliseconds */
export function refuseFailure(error: Error, origin: string, timeout: number): ProxyRefusal {
  if (error.name === 'TimeoutError') return refuseSilence(origin, timeout);
  const { reason } = explainFailure(error, true, { timeout, option: 'timeout', value: timeout });
  return { status: 502, reason: `${origin} gave no usable response: ${reason}` };
}

export function refuseSilence(origin: string, timeout: number): ProxyRefusal {
  return { status: 504, reason: `${origin} gave no response within ${timeout} ms` };
}

/** Answers in the form of the service's errors. Leaves the rest of the request's body to the caller. */
export function answerRefusal(
  response: ServerResponse,
  { status, reason, retryAfter }: ProxyRefusal,
): { readonly headers: readonly string[]; readonly body: Buffer } {
  const error: ErrorBody = { statusCode: status, message: `${proxyRefusalStart}${reason}` };
  const body = Buffer.from(JSON.stringify(error));
  const headers = [
    ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
    ...['Content-Type', 'application/json; charset=utf-8'],
    ...['Content-Length', String(body.length)],
    ...['Date', new Date().toUTCString()],
    ...via,
  ];
  response.writeHead(status, headers).end(body);
  return { headers, body };
}
