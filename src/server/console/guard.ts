import type { IncomingMessage } from 'node:http';
import { isLocalAddress } from '../control/guard.js';
import { HttpError } from '../http/answer.js';

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

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** The page runs only its own code, and no other site can frame or read it. */
const consoleHeaders = [
  ...['Content-Security-Policy', policy.join('; ')],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
];

/** Completes the headers of every response of the console. */
export function addSafeHeaders(headers: string[]): void {
  headers.push(...consoleHeaders);
  if (!headers.includes('Cache-Control')) headers.push('Cache-Control', 'no-store');
}
