import type { IncomingMessage } from 'node:http';
import { closing, HttpError } from './answer.js';

/** Replaces Node's limit, which would silently drop excess headers and is therefore disabled. */
const maxHeaders = 1000;

/** Refused if repeated: a proxy could use another value. Node checks Content-Length and Transfer-Encoding itself. */
const singleHeaders = new Set([
  'authorization',
  'content-type',
  'expect',
  'host',
  'origin',
  'x-api-key',
  'x-api-signature',
  'x-api-timestamp',
]);

/** @throws HttpError for a head that two programs could read differently */
export function requireHead({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length > 2 * maxHeaders) throw problem(431, `it has more than ${maxHeaders} headers`);
  if (httpVersion === '1.1') {
    if (headers.host === undefined) throw problem(400, 'an HTTP/1.1 request must have a Host header');
    // No other expectation is defined (RFC 9110, section 10.1.1).
    if (headers.expect !== undefined && !/\b100-continue\b/i.test(headers.expect)) {
      throw problem(417, 'its Expect header asks for something other than 100-continue');
    }
  }
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at] ?? '';
    const name = written.toLowerCase();
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name))
      throw problem(400, `the header ${written} appears twice`, `Bad Request: ${written} was sent twice`);
    seen.add(name);
  }
}

/** @param reason for the log @param message for the client; default: the status text */
function problem(status: number, reason: string, message?: string): HttpError {
  return new HttpError(status, message, { explain: () => ({ reason }), headers: closing });
}

const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/** Converts an absolute target to origin form; the target's authority replaces `Host` (RFC 9112, section 3.2.2). */
export function takeOriginForm(request: IncomingMessage): void {
  const { url = '/' } = request;
  if (url.startsWith('/')) return;
  const [origin, authority] = absoluteForm.exec(url) ?? [];
  if (origin === undefined || authority === undefined) return;
  const rest = url.slice(origin.length);
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  if (request.headers.host !== undefined) request.headers.host = authority;
}
