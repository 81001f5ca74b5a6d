import type { IncomingMessage } from 'node:http';
import { findMethodOverride } from '../client/exchange/request.js';
import { findValues } from './headers.js';
import type { ProxyRefusal } from './refusal.js';

export interface Admission {
  readonly port: number;
  /** Accepted `Host` values, in lower case. */
  readonly authorities: ReadonlySet<string>;
  /** Whether to refuse methods that may change something, and headers that override the method. */
  readonly isReadOnly: boolean;
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The `Host` values to accept for a proxy on this port. */
export function listAuthorities(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]));
}

/** Why to refuse a request; `undefined` to forward it. Node's parser has refused ambiguous lengths. */
export function findRefusal(request: IncomingMessage, admission: Admission): ProxyRefusal | undefined {
  return findForeign(request, admission) ?? findChange(request, admission) ?? findUnpassable(request);
}

/** Checks `Host` and `Origin`: a web page could call the proxy by any name that resolves to this machine. */
function findForeign(
  { rawHeaders, url = '' }: IncomingMessage,
  { port, authorities: own }: Admission,
): ProxyRefusal | undefined {
  if (!url.startsWith('/') && url !== '*') {
    return { status: 403, reason: 'this is not a forward proxy: send only the path, as to the service' };
  }
  const [host = '', ...others] = findValues(rawHeaders, 'host');
  if (others.length > 0 || !own.has(host.toLowerCase())) {
    return { status: 403, reason: `the Host header must be 127.0.0.1:${port} or localhost:${port}` };
  }
  const isOwn = (origin: string) =>
    origin.startsWith('http://') && own.has(origin.slice('http://'.length).toLowerCase());
  if (findValues(rawHeaders, 'origin').every(isOwn)) return undefined;
  return { status: 403, reason: 'requests from web pages of other origins are not forwarded' };
}

function findChange(
  { method = '', rawHeaders }: IncomingMessage,
  { isReadOnly }: Admission,
): ProxyRefusal | undefined {
  if (!isReadOnly) return undefined;
  const override = findMethodOverride(rawHeaders.filter((_, at) => at % 2 === 0));
  const change = readingMethods.has(method) ? override : method;
  return change === undefined
    ? undefined
    : { status: 403, reason: `this proxy is read-only and does not forward ${change}` };
}

function findUnpassable({ rawHeaders }: IncomingMessage): ProxyRefusal | undefined {
  // A client that offers to switch to h2c continues with HTTP/1.1 if the offer is ignored (RFC 9110, section 7.8).
  if (findValues(rawHeaders, 'upgrade').some((value) => value.toLowerCase() !== 'h2c')) {
    return { status: 501, reason: 'upgrades to other protocols are not forwarded' };
  }
  if (findValues(rawHeaders, 'transfer-encoding').every((value) => value.toLowerCase() === 'chunked')) {
    return undefined;
  }
  return { status: 501, reason: 'the only supported transfer coding is chunked' };
}
