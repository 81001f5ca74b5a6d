import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { readSystemCode } from '../../errors/errors.js';
import { closing, errorAnswer, HttpError } from './answer.js';

const statuses = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Milliseconds for the client to read the response: closing at once could reset the connection. */
const lingerBroken = 1000;

const refusedSockets = new WeakSet<Socket>();

/**
 * After pending responses, refuses broken HTTP and hangs up.
 * @param responses of the connection's requests
 * @param note called if no request can be recorded
 */
export function answerBrokenRequest(
  error: Error,
  socket: Socket,
  responses: readonly ServerResponse[],
  note: (refusal: HttpError) => void,
): void {
  // Anything that follows on the connection is broken too.
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  const code = readSystemCode(error) ?? '';
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // Quotes nothing of the request, whose first bytes may be the rest of a body.
  const what = code === 'HPE_PAUSED_H2_UPGRADE' ? 'HTTP/2' : 'not an HTTP/1.1 request within the limits';
  const refusal = new HttpError(statuses.get(code) ?? 400, undefined, {
    explain: () => ({ reason: `it is ${what} (${code || error.message})` }),
    headers: closing,
  });
  const hangUp = () => {
    socket.end(writeRefusal(refusal));
    setTimeout(() => socket.destroy(), lingerBroken).unref();
  };
  const last = responses.at(-1);
  const isWithinLast = last?.req.complete === false;
  // A request that was cut off in its body is recorded like any other.
  if (!isWithinLast) note(refusal);
  // Otherwise the client would read the refusal as part of the response that has begun.
  if (isWithinLast && last?.headersSent) return void socket.destroy();
  const before = isWithinLast ? responses.at(-2) : last;
  if (before === undefined || before.writableFinished) hangUp();
  else before.once('finish', hangUp);
}

function writeRefusal(refusal: HttpError): string {
  const { status, headers, body } = errorAnswer(refusal);
  headers.push('Content-Length', String(String(body).length), 'Date', new Date().toUTCString());
  const lines = headers.map((value, at) => value + (at % 2 === 0 ? ': ' : '\r\n')).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`;
}
