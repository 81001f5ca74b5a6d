import { UsageError } from '../errors/errors.js';

export interface BaseUrl {
  /** Without a default port. */
  readonly origin: string;
  /** Its path without a trailing slash, or `''`; every target on the wire begins with it. */
  readonly prefix: string;
  readonly href: string;
}

/** Text to quote in errors: too short for a secret, and without the @ of a password. */
const harmless = /^\s?[\w.:/-]{1,40}\s*$/;

/** Accepts `https:`, and `http:` for loopback. @throws UsageError that quotes only harmless text */
export function parseBaseUrl(text: string): BaseUrl {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
    const what = harmless.test(text) ? `the base URL ${JSON.stringify(text)}` : 'the base URL';
    throw new UsageError(`${what} must be a URL such as https://api.example.com`);
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

/** `false` if a URL is damaged. */
export function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** The port of an http or https URL, also the default one. */
export function portOf({ protocol, port }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

export interface Endpoint {
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

export function toEndpoint(url: URL): Endpoint {
  return { host: withoutBrackets(url.hostname), port: portOf(url) };
}

export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Not by a regular expression, which would try every slash of a long run. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Whether a target is in origin form (RFC 9112, 3.2.1), with one leading slash, visible ASCII and no fragment. */
export function isOriginForm(target: string): boolean {
  return /^\/(?!\/)[\x21\x22\x24-\x7e]*$/.test(target);
}

// Every start loads this file, and `isIPv4` would load Node's sockets.
const loopbackAddress = /^127(?:\.(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}$/;

/** Accepts brackets. Excludes names below `localhost`, for which some resolvers ask the network. */
export function isLoopback(host: string): boolean {
  const bare = withoutBrackets(host.toLowerCase());
  return bare === 'localhost' || bare === '::1' || loopbackAddress.test(bare);
}

/** The path to route by: without query and fragment, decoded as far as possible. */
export function readPath(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return path.replaceAll(/%[0-7][0-9a-f]/gi, decodeURIComponent);
  }
}
