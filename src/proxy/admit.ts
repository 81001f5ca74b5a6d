import type { IncomingMessage } from 'node:http';
import { findMethodOverride } from '../client/exchange/request.js';
import type { ProxyRefusal } from './proxy-refusal.js';
import { findValues } from './service/headers.js';

export interface Admission {
  readonly port: number;
  /** Accepted `Host` values, in lower case. */
  readonly authorities: ReadonlySet<string>;
  /** Whether to refuse methods that may change something, and headers that override the method. */
  readonly isReadOnly: boolean;
}

const absolute = /^https?:\/\/([^/?#]*)(.*)$/is;

/** Reduces a URL of the proxy itself to its path and query (RFC 9112, section 3.2.2); leaves other targets unchanged. */
export function toOriginForm(target: string, { authorities }: Pick<Admission, 'authorities'>): string {
  const [, authority, path = ''] = absolute.exec(target) ?? [];
  if (authority === undefined || !authorities.has(authority.toLowerCase())) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Why to refuse a request; `undefined` to forward it. Checks `Host` and `Origin`, because a web page could call the
 * proxy by any name that resolves to this machine.
 */
export function findRefusal(request: IncomingMessage, admission: Admission): ProxyRefusal | undefined {
  return findMalformed(request) ?? findForeign(request, admission) ?? findUnpassable(request, admission);
}

function findMalformed({ rawHeaders, url = '', httpVersion }: IncomingMessage): ProxyRefusal | undefined {
  for (const name of ['host', 'content-length', 'transfer-encoding'] as const) {
    if (findValues(rawHeaders, name).length > 1)
      return { status: 400, reason: `more than one ${name} header` };
  }
  const [host] = findValues(rawHeaders, 'host');
  if (host === undefined && httpVersion !== '1.0') {
    return { status: 400, reason: 'a request must have a Host header' };
  }
  const [coding = 'chunked'] = findValues(rawHeaders, 'transfer-encoding');
  if (!/(?:^|,)[ \t]*chunked[ \t]*$/i.test(coding)) {
    return { status: 400, reason: 'the last transfer coding must be chunked' };
  }
  if (url.startsWith('/') || url === '*' || absolute.test(url)) return undefined;
  return { status: 400, reason: 'the target must be a path' };
}

function findForeign(
  { rawHeaders, url = '' }: IncomingMessage,
  { port, authorities: own }: Admission,
): ProxyRefusal | undefined {
  if (absolute.test(url)) {
    return {
      status: 403,
      reason: 'this is not a forward proxy; send only the path, as to the service itself',
    };
  }
  // Only an HTTP/1.0 request can lack Host here, and browsers do not send those.
  const [host = `localhost:${port}`] = findValues(rawHeaders, 'host');
  if (!own.has(host.toLowerCase())) {
    return { status: 403, reason: `the Host header must be 127.0.0.1:${port} or localhost:${port}` };
  }
  const isOwn = (origin: string) =>
    origin.startsWith('http://') && own.has(origin.slice('http://'.length).toLowerCase());
  if (findValues(rawHeaders, 'origin').every(isOwn)) return undefined;
  return { status: 403, reason: 'requests from web pages of other origins are not forwarded' };
}

/** The `Host` values to accept for a proxy on this port. */
export function listAuthorities(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
}

function findUnpassable(
  { method = '', rawHeaders }: IncomingMessage,
  { isReadOnly }: Admission,
): ProxyRefusal | undefined {
  if (isReadOnly && !readingMethods.has(method)) {
    return { status: 403, reason: `this proxy is read-only and does not forward ${method}` };
  }
  const override = isReadOnly ? findMethodOverride(rawHeaders.filter((_, at) => at % 2 === 0)) : undefined;
  if (override !== undefined) {
    return { status: 403, reason: `this proxy is read-only and does not forward ${override}` };
  }
  // A client that offers to switch to h2c continues with HTTP/1.1 if the offer is ignored (RFC 9110, section 7.8).
  const upgrades = findValues(rawHeaders, 'upgrade').flatMap((value) => value.toLowerCase().split(','));
  if (upgrades.some((protocol) => protocol.trim() !== 'h2c')) {
    return { status: 501, reason: 'upgrades to other protocols are not forwarded' };
  }
  const [coding = 'chunked'] = findValues(rawHeaders, 'transfer-encoding');
  if (coding.trim().toLowerCase() === 'chunked') return undefined;
  return { status: 501, reason: 'the only supported transfer coding is chunked' };
}
