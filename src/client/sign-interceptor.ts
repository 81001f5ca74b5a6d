import type { Dispatcher } from 'undici';
import { basicAuthorization, type Credential } from '../signing/basic.js';
import { signedHeaders } from '../signing/signed-headers.js';
import { timestampOf } from '../signing/timestamp.js';

/** How a request is authenticated (reference, section 5). */
export type AuthMode = 'hmac' | 'basic';

export interface SignOptions {
  readonly credential: Credential;
  /** Default: `hmac`. */
  readonly mode?: AuthMode | undefined;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
}

/**
 * An undici interceptor that authenticates every request that passes it, at the moment it passes: put it inside any
 * retrying layer, and each attempt has a signature of its own (reference, section 5).
 *
 * The body must be in memory (string, Buffer or Uint8Array): exactly its bytes are signed and sent. A stream is
 * refused with a `TypeError`.
 */
export function signInterceptor(options: SignOptions): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => dispatch(authenticated(request, options), handler);
}

function authenticated(
  request: Dispatcher.DispatchOptions,
  options: SignOptions,
): Dispatcher.DispatchOptions {
  const { credential, mode = 'hmac', clock = Date.now } = options;
  const headers = headerPairs(request.headers);
  if (mode === 'basic') {
    return { ...request, headers: [...headers.flat(), 'Authorization', basicAuthorization(credential)] };
  }
  const target = targetOf(request);
  const body = bodyBytes(request.body);
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const timestamp = timestampOf(clock());
  const signed = signedHeaders(credential, { method: request.method, target, timestamp, contentType, body });
  const { query: _inTarget, ...unchanged } = request;
  return {
    ...unchanged,
    path: target,
    body: body.byteLength === 0 ? null : body,
    headers: [...headers, ...Object.entries(signed)].flat(),
  };
}

function targetOf({ path, query }: Dispatcher.DispatchOptions): string {
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, String(one)] satisfies [string, string]),
    ),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}

function bodyBytes(body: Dispatcher.DispatchOptions['body']): Uint8Array {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('only a body that is in memory can be signed: pass a string, a Buffer or a Uint8Array');
}

/** The headers of a request, in whichever form undici takes them, as pairs; repeated ones stay apart. */
export function headerPairs(headers: Dispatcher.DispatchOptions['headers']): [string, string][] {
  if (headers === undefined || headers === null) return [];
  if (Array.isArray(headers) && headers.every((item) => typeof item === 'string')) return pairUp(headers);
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return entries.flatMap((entry) => {
    if (typeof entry === 'string') return [];
    const [name, value] = entry;
    return [value ?? []].flat().map((one) => [name, one] satisfies [string, string]);
  });
}

function pairUp(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return pairs;
}
