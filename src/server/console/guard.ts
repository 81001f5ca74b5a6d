import type { IncomingMessage } from 'node:http';
import { isLocalAddress } from '../control/guard.js';
import { HttpError } from '../http/http-error.js';

/** Acceptable values of `Sec-Fetch-Site`: the page itself, or an address typed by the user. */
const ownSites: ReadonlySet<unknown> = new Set(['same-origin', 'none']);

/**
 * Admits the console's page, and users who open its address. `Host` must match exactly, to prevent DNS rebinding.
 * Without `Sec-Fetch-Site`, only the page's files can be read: they hold no secrets, and let programs check that the
 * console is up.
 * @param origin such as `http://127.0.0.1:8444`
 * @throws HttpError 403
 */
export function requireVisitor(
  { headers, socket, method, url = '' }: IncomingMessage,
  origin: string,
  isFile: (path: string) => boolean,
): void {
  if (!isLocalAddress(socket.remoteAddress)) throw forbidden('it answers only this machine');
  if (headers.host !== new URL(origin).host) throw forbidden(`its address is ${origin}`);
  const isReading = method === 'GET';
  const site = headers['sec-fetch-site'];
  const isProgram = site === undefined && isReading && isFile(url);
  if (!isProgram && !ownSites.has(site)) {
    throw forbidden('the request comes from a page of another origin, or does not name its origin');
  }
  if (headers.origin !== origin && !(isReading && headers.origin === undefined)) {
    throw forbidden(`Origin must be ${origin}`);
  }
}

function forbidden(why: string): HttpError {
  return new HttpError(403, `Forbidden: this is the management console; ${why}`);
}
