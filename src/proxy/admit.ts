import type { IncomingMessage } from 'node:http';
import type { ProxyRefusal } from './proxy-refusal.js';
import { findValues } from './service/headers.js';

export interface Admission {
  readonly port: number;
  /** Its accepted `Host` values. */
  readonly authorities: ReadonlySet<string>;
  /** Forwards only methods that change nothing. */
  readonly isReadOnly: boolean;
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Why a request is refused, if it is. A foreign web page could call the proxy by a name that resolves to this machine;
 * its `Host` or `Origin` differs.
 */
export function findRefusal(request: IncomingMessage, admission: Admission): ProxyRefusal | undefined {
  return findMalformed(request) ?? findForeign(request, admission) ?? findUnpassable(request, admission);
}

function findMalformed({ rawHeaders, url = '' }: IncomingMessage): ProxyRefusal | undefined {
  for (const name of ['host', 'content-length', 'transfer-encoding'] as const) {
    if (findValues(rawHeaders, name).length > 1) return { status: 400, reason: `two ${name} headers` };
  }
  const [host] = findValues(rawHeaders, 'host');
  if (host === undefined) return { status: 400, reason: 'a request must have a Host header' };
  if (!url.startsWith('/') && url !== '*') {
    return {
      status: 400,
      reason: 'not a forward proxy: send only the path, as to the service itself',
    };
  }
  return undefined;
}

function findForeign(
  { rawHeaders }: IncomingMessage,
  { port, authorities: own }: Admission,
): ProxyRefusal | undefined {
  const [host = ''] = findValues(rawHeaders, 'host');
  if (!own.has(host.toLowerCase())) {
    return { status: 403, reason: `the Host header must be 127.0.0.1:${port} or localhost:${port}` };
  }
  const isOwn = (origin: string) =>
    origin.startsWith('http://') && own.has(origin.slice('http://'.length).toLowerCase());
  if (findValues(rawHeaders, 'origin').every(isOwn)) return undefined;
  return { status: 403, reason: 'requests from web pages of other origins are not forwarded' };
}

/** How clients on this machine name a proxy. */
export function listAuthorities(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
}

function findUnpassable(
  { method = '', rawHeaders }: IncomingMessage,
  { isReadOnly }: Admission,
): ProxyRefusal | undefined {
  if (isReadOnly && !readingMethods.has(method)) {
    return { status: 403, reason: `it is read-only, and does not forward ${method}` };
  }
  // Clients that try HTTP/2 this way continue with HTTP/1.1 (RFC 9110, section 7.8).
  const upgrades = findValues(rawHeaders, 'upgrade').flatMap((value) => value.toLowerCase().split(','));
  if (upgrades.some((protocol) => protocol.trim() !== 'h2c')) {
    return { status: 501, reason: 'upgrades to other protocols are not forwarded' };
  }
  const [coding = 'chunked'] = findValues(rawHeaders, 'transfer-encoding');
  if (coding.trim().toLowerCase() === 'chunked') return undefined;
  return { status: 501, reason: 'the only supported transfer coding is chunked' };
}
