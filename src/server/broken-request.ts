import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { systemCodeOf } from '../errors.js';
import { errorBody } from './error-body.js';

/** Node's codes for requests that it could not read; all others are malformed. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is not an HTTP request, or not one within the limits, and hangs up. */
export function answerBrokenRequest(error: Error, socket: Socket): void {
  const code = systemCodeOf(error) ?? '';
  // After a byte of an answer is out, another answer would be taken for its body.
  if (code !== 'ECONNRESET' && socket.writable && socket.bytesWritten === 0) {
    socket.end(answer(statuses[code] ?? 400));
  }
  socket.destroySoon();
}

function answer(status: number): string {
  const body = JSON.stringify(errorBody(status));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
