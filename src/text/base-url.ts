import { UsageError } from '../errors/errors.js';
import { isLoopback } from './loopback.js';

/** The service's address, taken apart (reference, "Base address"). */
export interface BaseUrl {
  /** Scheme, host and port; a default port is left out, so that equal origins are equal texts. */
  readonly origin: string;
  /** The path without a trailing slash, `''` when there is none; part of every target on the wire. */
  readonly prefix: string;
  /** Both together. */
  readonly href: string;
}

/**
 * Reads a base URL: `https:`, and `http:` for loopback hosts alone; no user info, query or fragment.
 *
 * @throws UsageError saying what is accepted; it never repeats the text, which may hold a password
 */
export function parseBaseUrl(text: string): BaseUrl {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
    throw new UsageError('the base URL must be a URL such as https://api.example.com');
  }
  const url = new URL(text);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError('the base URL must begin with https://; plain http:// is for loopback hosts alone');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('the base URL must not hold a user name or password');
  }
  if (/[?#]/.test(text)) throw new UsageError('the base URL must have no query and no fragment');
  const prefix = withoutTrailingSlashes(url.pathname);
  if (prefix !== '' && !isOriginForm(prefix)) {
    throw new UsageError('the path of the base URL must begin with a single slash');
  }
  return { origin: url.origin, prefix, href: `${url.origin}${prefix}` };
}

/** A path without the slashes at its end. An expression would try every slash of a long run that is not there. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/**
 * Whether a request target can go on the request line byte for byte: origin form (RFC 9112, section 3.2.1), so it
 * starts with one slash and has no spaces, control or non-ASCII characters and no fragment.
 */
export function isOriginForm(target: string): boolean {
  return /^\/(?!\/)[\x21\x22\x24-\x7e]*$/.test(target);
}
