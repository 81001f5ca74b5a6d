import type { IncomingMessage } from 'node:http';
import { isLocalAddress } from '../control/guard.js';
import { HttpError } from '../pipeline/http-error.js';

/** Where a browser says a request comes from, when it may: the page itself, or the person at the address bar. */
const ownSites: ReadonlySet<unknown> = new Set(['same-origin', 'none']);

/**
 * Lets in nothing but the console's own page and who types its address. The peer must be this machine; `Host` the address
 * to the letter, since a page elsewhere can have its own name resolve to it (DNS rebinding). `Sec-Fetch-Site`, which every
 * browser sends to a loopback address, must not name another site, other ports of this machine included; only reading the
 * page's files, in which nothing is secret, goes without the header, for programs that ask whether it is there. What is no
 * GET must have an `Origin`, and any `Origin` must be the console's.
 * @param origin the console's, such as `http://127.0.0.1:8444`
 * @throws HttpError 403
 */
export function requireVisitor(
  { headers, socket, method, url = '' }: IncomingMessage,
  origin: string,
  isFile: (path: string) => boolean,
): void {
  if (!isLocalAddress(socket.remoteAddress)) throw forbidden('it answers this machine alone');
  if (headers.host !== new URL(origin).host) throw forbidden(`its address is ${origin}`);
  const isReading = method === 'GET';
  const site = headers['sec-fetch-site'];
  const isProgram = site === undefined && isReading && isFile(url);
  if (!isProgram && !ownSites.has(site)) {
    throw forbidden('the request comes from a page of another origin, or does not say where from');
  }
  if (headers.origin !== origin && !(isReading && headers.origin === undefined)) {
    throw forbidden('Origin must be its own');
  }
}

function forbidden(why: string): HttpError {
  return new HttpError(403, `Forbidden: this is the management console; ${why}`);
}
