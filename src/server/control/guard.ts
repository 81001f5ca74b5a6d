import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { equalInConstantTime } from '../../signing/basic/basic.js';
import { isLoopback } from '../../text/base-url.js';
import { HttpError } from '../http/answer.js';
import type { ServerOptions } from '../options.js';

export interface Controllers {
  readonly token: string;
  readonly localHosts: readonly string[];
  readonly openHosts: readonly string[];
}

export function controllers(
  token: string,
  { tlsNames = [], controlHosts = [] }: Pick<ServerOptions, 'tlsNames' | 'controlHosts'>,
): Controllers {
  const normalized = (host: string) => readHostname(isIPv6(host) ? `[${host}]` : host);
  return { token, localHosts: tlsNames.map(normalized), openHosts: controlHosts.map(normalized) };
}

/**
 * Admits only programs that have the token. Unless they use one of `openHosts`, they must also run on this machine and
 * use a local `Host`, to prevent DNS rebinding. Refuses pages of other origins.
 * @throws HttpError 403 or 401
 */
export function requireController(request: IncomingMessage, allowed: Controllers): void {
  const { host: written, origin } = request.headers;
  const host = readHostname(written);
  if (!allowed.openHosts.includes(host)) {
    requireLocal(request, 'the control API');
    if (!isLoopback(host) && !allowed.localHosts.includes(host))
      throw forbidden("Host must be localhost, a loopback address or one of the server's TLS names");
  }
  const own = /^https?:\/\/([^/?#@\\]+)$/i.exec(origin ?? '')?.[1]?.toLowerCase();
  if (origin !== undefined && own !== written?.toLowerCase())
    throw forbidden('the request comes from a page of another origin');
  if (hasControlToken(request, allowed)) return;
  throw new HttpError(401, 'Unauthorized: the control token is missing or wrong', {
    headers: ['WWW-Authenticate', 'Bearer'],
  });
}

/** @throws HttpError 403 for a request from another machine */
export function requireLocal({ socket: { remoteAddress } }: IncomingMessage, what: string): void {
  // Dual-stack sockets put this prefix before IPv4 addresses.
  if (remoteAddress === undefined || !isLoopback(remoteAddress.replace(/^::ffff:/i, '')))
    throw forbidden(`${what} answers only this machine`);
}

export function forbidden(why: string): HttpError {
  return new HttpError(403, `Forbidden: ${why}`);
}

export function hasControlToken(request: IncomingMessage, { token }: Controllers): boolean {
  return equalInConstantTime(readBearer(request), token);
}

export function readBearer({ headers }: IncomingMessage): string {
  return /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** Without the port, as in a URL; empty if invalid. */
function readHostname(host = ''): string {
  const url = `http://${host}/`;
  return /^[^/?#@\\]+$/.test(host) && URL.canParse(url) ? new URL(url).hostname : '';
}
