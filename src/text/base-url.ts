import { UsageError } from '../errors/errors.js';
import { isLoopback } from './loopback.js';

export interface BaseUrl {
  /** Without a default port, so that equal origins are equal texts. */
  readonly origin: string;
  /** The URL's path without a trailing slash, or `''`; every target on the wire begins with it. */
  readonly prefix: string;
  readonly href: string;
}

/** Printable, too short for a secret, and without the @ of a password. */
const harmless = /^[\w.:/-]{1,40}$/;

/** Accepts `https:`, and `http:` for loopback. @throws UsageError, which quotes only harmless text */
export function parseBaseUrl(text: string): BaseUrl {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
    const what = harmless.test(text) ? `the base URL ${JSON.stringify(text)}` : 'the base URL';
    throw new UsageError(`${what} must be a URL such as https://api.example.com${describeEdge(text)}`);
  }
  const url = new URL(text);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError('the base URL must begin with https://; plain http:// is for loopback hosts only');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('the base URL must not contain a user name or password');
  }
  if (/[?#]/.test(text)) throw new UsageError('the base URL must have no query and no fragment');
  const prefix = withoutTrailingSlashes(url.pathname);
  if (prefix !== '' && !isOriginForm(prefix)) {
    throw new UsageError('the path of the base URL must begin with a single slash');
  }
  return { origin: url.origin, prefix, href: `${url.origin}${prefix}` };
}

/** Names whitespace that a variable often has at its end, and that a terminal does not show. */
function describeEdge(text: string): string {
  const [edge] = /\s$/.exec(text) ?? /^\s/.exec(text) ?? [];
  if (edge === undefined) return '';
  const what = /[\r\n]/.test(edge) ? 'newline' : 'space';
  return `, without the ${what} at its ${text.endsWith(edge) ? 'end' : 'start'}`;
}

/** Whether two stored base URLs have the same origin; `false` if one is damaged. */
export function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** Whether two stored base URLs are the same; `false` if one is damaged. */
export function isSameAddress(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

/** The port of an http or https URL, also the default one, which the URL itself leaves out. */
export function portOf({ protocol, port }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

export interface Endpoint {
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

export function toEndpoint(url: URL): Endpoint {
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: portOf(url) };
}

/** Not a regular expression, which would try every slash of a long run. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Whether a target is in origin form (RFC 9112, 3.2.1), with one leading slash, visible ASCII and no fragment. */
export function isOriginForm(target: string): boolean {
  return /^\/(?!\/)[\x21\x22\x24-\x7e]*$/.test(target);
}
