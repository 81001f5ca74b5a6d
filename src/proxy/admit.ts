import type { IncomingMessage } from 'node:http';
import type { ProxyRefusal } from './proxy-refusal.js';
import { findValues } from './service/headers.js';

/** What is admitted. */
export interface Admission {
  /** The port that the proxy listens on. */
  readonly port: number;
  /** Its names in `Host`, as `listAuthorities` has them. */
  readonly authorities: ReadonlySet<string>;
  /** Pass only methods that change nothing. */
  readonly isReadOnly: boolean;
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Why a request is not sent on, usually nothing. A page that a browser loaded from elsewhere could call the proxy by a
 * name of its own that points to this machine: it would have its own `Host` or `Origin`.
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
      reason: 'this is no forward proxy: send the path alone, as to the service itself',
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
  return { status: 403, reason: 'requests from web pages of another origin are not passed' };
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
    return { status: 403, reason: `it is read-only, and does not pass ${method}` };
  }
  // Clients that try HTTP/2 in this way go on with HTTP/1.1 (RFC 9110, section 7.8).
  const upgrades = findValues(rawHeaders, 'upgrade').flatMap((value) => value.toLowerCase().split(','));
  if (upgrades.some((protocol) => protocol.trim() !== 'h2c')) {
    return { status: 501, reason: 'upgrades to other protocols are not passed' };
  }
  const [coding = 'chunked'] = findValues(rawHeaders, 'transfer-encoding');
  if (coding.trim().toLowerCase() === 'chunked') return undefined;
  return { status: 501, reason: 'no transfer coding but chunked is passed' };
}
