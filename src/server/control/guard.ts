import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { equalInConstantTime } from '../../signing/basic/basic.js';
import { isLoopback } from '../../text/base-url.js';
import { HttpError } from '../http/answer.js';
import type { ServerOptions } from '../options.js';

export interface Controllers {
  readonly token: string;
  readonly localHosts: ReadonlySet<string>;
  readonly openHosts: ReadonlySet<string>;
}

export function controllers(
  token: string,
  { tlsNames = [], controlHosts = [] }: Pick<ServerOptions, 'tlsNames' | 'controlHosts'>,
): Controllers {
  const toHosts = (names: readonly string[]) => new Set(names.map(normalizeHost));
  return { token, localHosts: toHosts(tlsNames), openHosts: toHosts(controlHosts) };
}

/**
 * Admits only programs that have the token. Unless they use one of `openHosts`, they must also run on this machine and
 * use a local `Host`, to prevent DNS rebinding. Refuses pages of other origins.
 * @throws HttpError 403 or 401
 */
export function requireController(request: IncomingMessage, allowed: Controllers): void {
  const { headers, socket } = request;
  const host = readHostname(headers.host);
  if (!allowed.openHosts.has(normalizeHost(host))) {
    if (!isLocalAddress(socket.remoteAddress))
      throw new HttpError(403, 'Forbidden: the control API answers only this machine');
    if (!isLoopback(host) && !allowed.localHosts.has(normalizeHost(host)))
      throw new HttpError(
        403,
        "Forbidden: Host must be localhost, a loopback address or one of the server's TLS names",
      );
  }
  if (headers.origin !== undefined && hostOfOrigin(headers.origin) !== headers.host?.toLowerCase())
    throw new HttpError(403, 'Forbidden: the request comes from a page of another origin');
  if (hasControlToken(request, allowed)) return;
  throw new HttpError(401, 'Unauthorized: the control token is missing or wrong', {
    headers: ['WWW-Authenticate', 'Bearer'],
  });
}

export function hasControlToken(request: IncomingMessage, { token }: Controllers): boolean {
  return equalInConstantTime(readBearer(request), token);
}

export function readBearer({ headers }: IncomingMessage): string {
  return /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** As in a URL: in lower case, with IPv6 addresses in brackets and in their shortest form. */
function normalizeHost(host: string): string {
  return readHostname(isIPv6(host) ? `[${host}]` : host);
}

export function isLocalAddress(address: string | undefined): boolean {
  // A dual-stack socket shows an IPv4 peer with this prefix.
  return address !== undefined && isLoopback(address.replace(/^::ffff:/i, ''));
}

function readHostname(host: string | undefined): string {
  const url = `http://${host}/`;
  return host !== undefined && /^[^/?#@\\]+$/.test(host) && URL.canParse(url) ? new URL(url).hostname : '';
}

function hostOfOrigin(origin: string): string {
  return /^https?:\/\/([^/?#@\\]+)$/i.exec(origin)?.[1]?.toLowerCase() ?? '';
}
