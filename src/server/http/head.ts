import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { readSystemCode } from '../../errors/errors.js';
import { type Answer, closing, errorAnswer, HttpError } from './answer.js';

/** Replaces Node's limit, which would silently drop excess headers and is therefore disabled. */
const maxHeaders = 1000;

/** Headers not to be repeated: a proxy could use another value. Node checks Content-Length and Transfer-Encoding. */
const single = /^(?:authorization|content-type|expect|host|origin|x-api-(?:key|signature|timestamp))$/i;

/** @throws HttpError for a head that two programs could read differently */
export function requireHead({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length > 2 * maxHeaders) throw problem(431, `it has more than ${maxHeaders} headers`);
  if (httpVersion === '1.1' && headers.host === undefined)
    throw problem(400, 'an HTTP/1.1 request must have a Host header');
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at] ?? '';
    if (!single.test(written)) continue;
    const name = written.toLowerCase();
    if (seen.has(name))
      throw problem(400, `the header ${written} appears twice`, `Bad Request: ${written} was sent twice`);
    seen.add(name);
  }
}

/** @param reason for the log @param message for the client; default: the status text */
function problem(status: number, reason: string, message?: string): HttpError {
  return new HttpError(status, message, { explain: () => ({ reason }), headers: closing });
}

/** Converts an absolute target to origin form; the target's authority replaces `Host` (RFC 9112, section 3.2.2). */
export function takeOriginForm(request: IncomingMessage): void {
  const { url = '/', headers } = request;
  const [origin, authority] = url.startsWith('/') ? [] : (/^https?:\/\/([^/?#]*)/i.exec(url) ?? []);
  if (origin === undefined || authority === undefined) return;
  request.url = url.slice(origin.length).replace(/^\/?/, '/');
  if (headers.host !== undefined) headers.host = authority;
}

/** Headers that pages may read beside the usual ones. */
const exposed = 'Date, Retry-After, X-Quota-Limit, X-Quota-Used, X-Quota-Remaining';

/** Lets the pages of these origins read responses. */
export function corsHeaders({ headers: { origin } }: IncomingMessage, origins: readonly string[]): string[] {
  if (origin === undefined || !origins.includes(origin)) return [];
  const names = ['Access-Control-Expose-Headers', exposed];
  return ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin', ...names];
}

/** Answers a browser that asks, without a credential, whether a page may send a request. */
export function answerPreflight(
  { method, headers }: IncomingMessage,
  origins: readonly string[] = [],
): Answer | undefined {
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined || !origins.includes(headers.origin ?? ''))
    return undefined;
  const methods = ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE'];
  const names = ['Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '*'];
  return { status: 204, headers: [...methods, ...names, 'Access-Control-Max-Age', '600'], body: '' };
}

const statuses = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Milliseconds for the client to read the response: closing at once could reset the connection. */
const lingerBroken = 1000;

const refusedSockets = new WeakSet<Socket>();

/**
 * Refuses broken HTTP after the pending responses, then hangs up.
 * @param responses of the connection's requests
 * @param note called if no request can be recorded
 * @param by begins the message; default: the message is the status text
 */
export function answerBrokenRequest(
  error: Error,
  socket: Socket,
  responses: readonly ServerResponse[],
  note: (refusal: HttpError) => void,
  by?: string,
): void {
  // Anything that follows on the connection is broken too.
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  const code = readSystemCode(error) ?? '';
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // Quotes nothing of the request, whose first bytes may be the rest of a body.
  const what = code === 'HPE_PAUSED_H2_UPGRADE' ? 'HTTP/2' : 'not an HTTP/1.1 request within the limits';
  const reason = `${what} (${code || error.message})`;
  const refusal = problem(statuses.get(code) ?? 400, `it is ${reason}`, by && `${by}${reason}`);
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
