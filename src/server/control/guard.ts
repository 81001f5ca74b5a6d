import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../contract/loopback.js';
import { equalInConstantTime } from '../../signing/index.js';
import { HttpError } from '../pipeline/http-error.js';

/**
 * Lets nobody steer the server but programs of this machine that were given the token. The peer must be this machine;
 * `Host` must name it, since a page elsewhere can have its own name resolve to it (DNS rebinding); and `Origin`, which
 * browsers send, must be the server itself.
 * @throws HttpError 403 or 401.
 */
export function requireController({ headers, socket }: IncomingMessage, token: string): void {
  if (!isLocalAddress(socket.remoteAddress)) {
    throw new HttpError(403, 'Forbidden: the control API answers this machine alone');
  }
  if (!isLoopback(hostnameOf(headers.host))) {
    throw new HttpError(403, 'Forbidden: Host must be localhost or a loopback address');
  }
  if (headers.origin !== undefined && hostOfOrigin(headers.origin) !== headers.host?.toLowerCase()) {
    throw new HttpError(403, 'Forbidden: the request comes from a page of another origin');
  }
  const given = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!equalInConstantTime(given, token)) {
    throw new HttpError(401, 'Unauthorized: the control token is missing or wrong', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
}

function isLocalAddress(address: string | undefined): boolean {
  // An IPv4 peer of a socket that takes both kinds.
  return address !== undefined && isLoopback(address.replace(/^::ffff:/i, ''));
}

function hostnameOf(host: string | undefined): string {
  const url = `http://${host}/`;
  return host !== undefined && /^[^/?#@\\]+$/.test(host) && URL.canParse(url) ? new URL(url).hostname : '';
}

function hostOfOrigin(origin: string): string {
  return /^https?:\/\/([^/?#@\\]+)$/i.exec(origin)?.[1]?.toLowerCase() ?? '';
}
