import type { IncomingMessage } from 'node:http';
import { closing, HttpError } from './answer.js';

/** Replaces Node's limit, which would silently drop excess headers and is therefore disabled. */
const maxHeaders = 1000;

/** Refused if repeated: a proxy could use another value. Node checks Content-Length and Transfer-Encoding itself. */
const single = /^(?:authorization|content-type|expect|host|origin|x-api-(?:key|signature|timestamp))$/i;

/** @throws HttpError for a head that two programs could read differently */
export function requireHead({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length > 2 * maxHeaders) throw problem(431, `it has more than ${maxHeaders} headers`);
  const { host, expect = '100-continue' } = headers;
  const isNew = httpVersion === '1.1';
  if (isNew && host === undefined) throw problem(400, 'an HTTP/1.1 request must have a Host header');
  // No other expectation is defined (RFC 9110, section 10.1.1).
  if (isNew && !/\b100-continue\b/i.test(expect))
    throw problem(417, 'its Expect header asks for something other than 100-continue');
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
