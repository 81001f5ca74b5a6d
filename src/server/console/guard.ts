import type { IncomingMessage } from 'node:http';
import { forbidden, requireLocal } from '../control/guard.js';

const what = 'this is the management console;';

/**
 * Admits the console's page, and users who open its address. `Host` must match exactly, to prevent DNS rebinding.
 * Without `Sec-Fetch-Site`, only the page's files can be read: they hold no secrets, and let programs check that the
 * console is up.
 * @param origin such as `http://127.0.0.1:8444`
 * @throws HttpError 403
 */
export function requireVisitor(
  request: IncomingMessage,
  origin: string,
  isFile: (path: string) => boolean,
): void {
  const { headers, method, url = '' } = request;
  requireLocal(request, `${what} it`);
  if (headers.host !== new URL(origin).host) throw forbidden(`${what} its address is ${origin}`);
  const isReading = method === 'GET';
  const site = headers['sec-fetch-site'];
  const isProgram = site === undefined && isReading && isFile(url);
  if (!isProgram && site !== 'same-origin' && site !== 'none')
    throw forbidden(`${what} the request comes from a page of another origin, or does not name its origin`);
  if (headers.origin !== origin && !(isReading && headers.origin === undefined))
    throw forbidden(`${what} Origin must be ${origin}`);
}

const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
  ...["img-src 'self' data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  "require-trusted-types-for 'script'",
].join('; ');

/** The page runs only its own code, and no other site can frame or read it. */
export function addSafeHeaders(headers: string[]): void {
  headers.push('Content-Security-Policy', policy, 'X-Content-Type-Options', 'nosniff');
  headers.push('Referrer-Policy', 'no-referrer', 'Cross-Origin-Resource-Policy', 'same-origin');
  headers.push('Cross-Origin-Opener-Policy', 'same-origin');
  if (!headers.includes('Cache-Control')) headers.push('Cache-Control', 'no-store');
}
