import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readSystemCode } from '../../errors/errors.js';
import { errorAnswerText } from '../http/answer-error.js';
import { HttpError } from '../http/http-error.js';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const generalReason = 'it is not an HTTP request within the limits';

/** Quotes nothing of the request, whose first bytes may be the rest of a body. */
const reasons: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: 'it does not begin with an HTTP method; methods are in upper case',
};

/** Milliseconds for the client to read the response: closing at once could reset the connection. */
const lingerBroken = 1000;

/** Only the last two responses of a connection, because the garbage collector copies what outlives its request. */
interface PendingAnswers {
  last: ServerResponse;
  beforeLast: ServerResponse | undefined;
}

const pendingAnswers = new WeakMap<Socket, PendingAnswers>();
const refusedSockets = new WeakSet<Socket>();

/** Call this before the server listens. */
export function followAnswers(server: Server): void {
  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = pendingAnswers.get(socket);
    if (answers === undefined) {
      pendingAnswers.set(socket, { last: response, beforeLast: undefined });
    } else {
      answers.beforeLast = answers.last.writableFinished ? undefined : answers.last;
      answers.last = response;
    }
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.prependListener(event, follow);
  }
}

/** After pending responses, refuses broken HTTP and hangs up. @param note called if no request can be recorded */
export function answerBrokenRequest(error: Error, socket: Socket, note: (refusal: HttpError) => void): void {
  // Anything that follows on the connection is broken too.
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  const code = readSystemCode(error) ?? '';
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = new HttpError(statuses[code] ?? 400, undefined, {
    explain: () => ({ reason: `${reasons[code] ?? generalReason} (${code || error.message})` }),
    headers: { connection: 'close' },
  });
  const hangUp = () => {
    socket.end(errorAnswerText(refusal));
    setTimeout(() => socket.destroy(), lingerBroken).unref();
  };
  const { last, beforeLast } = pendingAnswers.get(socket) ?? {};
  const isWithinLast = last !== undefined && !last.req.complete;
  // A request that was cut off in its body is recorded like any other.
  if (!isWithinLast) note(refusal);
  // Otherwise the client would read the refusal as part of the response that has begun.
  if (isWithinLast && last.headersSent) return void socket.destroy();
  const before = isWithinLast ? beforeLast : last;
  if (before === undefined || before.writableFinished) hangUp();
  else before.once('finish', hangUp);
}
