import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorBody, proxyRefusalStart } from '../api/error-message.js';
import { ExchangeTimeoutError } from '../client/exchange/exchange.js';
import { explainFailure } from '../client/transport/failures.js';
import { via } from './service/headers.js';

export interface ProxyRefusal {
  readonly status: number;
  /** A clause to follow `orgctl proxy:`. */
  readonly reason: string;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number | undefined;
}

/** Milliseconds for a client to read the response before its connection is closed. */
const linger = 1000;

/** Why the service gave no response. @param timeout milliseconds */
export function refuseFailure(error: Error, timeout: number): ProxyRefusal & { readonly status: 502 | 504 } {
  const isLate = error instanceof ExchangeTimeoutError;
  const { reason } = explainFailure(error, !isLate, { timeout, option: 'timeout', value: timeout });
  return { status: isLate ? 504 : 502, reason };
}

/** The body of a refusal, in the form of the service's errors. */
function toBody({ status, reason }: ProxyRefusal): string {
  const body: ErrorBody = { statusCode: status, message: `${proxyRefusalStart}${reason}` };
  return JSON.stringify(body);
}

function toHeaders(body: string, { retryAfter }: ProxyRefusal): string[] {
  return [
    ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Date',
    new Date().toUTCString(),
    ...via,
  ];
}

export interface OwnResponse {
  readonly reason: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/**
 * Answers a request with a refusal. If the request's body is still in transit, reads it for a moment before closing:
 * closing at once could reset the connection before the client reads the response.
 */
export function answerRefusal(response: ServerResponse, refusal: ProxyRefusal): OwnResponse {
  const { req: request } = response;
  const body = toBody(refusal);
  const headers = toHeaders(body, refusal);
  if (!request.complete || refusal.status === 400) response.shouldKeepAlive = false;
  response.writeHead(refusal.status, headers);
  if (request.complete) response.end(body);
  else {
    response.write(body);
    const timer = setTimeout(() => response.end(), linger);
    request.once('end', () => response.end());
    response.once('close', () => clearTimeout(timer));
    request.resume();
  }
  return { reason: STATUS_CODES[refusal.status] ?? '', headers, body };
}

/**
 * Answers on a connection for which Node gives no response object, and closes it.
 * @returns the response; `undefined` if the client has left
 */
export function hangUp(socket: Duplex, refusal: ProxyRefusal): OwnResponse | undefined {
  // After a `connect` event, Node no longer handles errors of the socket, such as a reset by the client.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return undefined;
  }
  const body = toBody(refusal);
  const reason = STATUS_CODES[refusal.status] ?? '';
  const headers = [...toHeaders(body, refusal), 'Connection', 'close'];
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}\r\n`] : []));
  socket.end(`HTTP/1.1 ${refusal.status} ${reason}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), linger).unref();
  return { reason, headers, body };
}
